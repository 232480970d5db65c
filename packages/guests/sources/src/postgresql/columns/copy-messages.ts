/**
 * Finds the payloads of CopyData messages in the bytes of a connection, without an object per message: the driver would
 * make a buffer and a message of each row. All other messages go to the driver unchanged.
 */
import type { Chunk } from './column-decoder.ts';
import { damagedStream } from './damaged-stream.ts';
import { viewOf } from './tuple-decoder.ts';

const copyData = 'd'.charCodeAt(0);
/** Messages that may come between those of a COPY: its response, notices, notifications and settings. */
const between: ReadonlySet<number> = new Set(Array.from('HNAS', (letter) => letter.charCodeAt(0)));
/** Messages that end it: done, error, complete, ready. */
const ends: ReadonlySet<number> = new Set(Array.from('cECZ', (letter) => letter.charCodeAt(0)));
/** Type and length. */
const headerBytes = 5;

export interface CopyHandlers {
  /** Payload from `from` to `to`; the bytes are not kept. */
  onData(chunk: Chunk, from: number, to: number): void;
  /** Bytes for the driver. `isEnd`: the COPY is over, and so is all that follows. */
  onOther(bytes: Buffer, isEnd: boolean): void;
}

export class CopyMessages {
  /** Parts of a message whose end has not arrived. */
  private parts: Buffer[] = [];
  private partBytes = 0;
  /** Bytes of that message, as far as known. */
  private needed = 0;

  constructor(private readonly handlers: CopyHandlers) {}

  /** @throws TopoBenchError `TB_SOURCE_DAMAGED`, and what the handlers throw */
  push(bytes: Buffer): void {
    if (this.partBytes === 0) {
      this.read(bytes);
      return;
    }
    this.parts.push(bytes);
    this.partBytes += bytes.length;
    if (this.partBytes < this.needed) return;
    const all = Buffer.concat(this.parts);
    this.parts = [];
    this.partBytes = 0;
    this.read(all);
  }

  private read(bytes: Buffer): void {
    const chunk: Chunk = { bytes, view: viewOf(bytes) };
    const { length } = bytes;
    let at = 0;
    while (length - at >= headerBytes) {
      const type = bytes[at] as number;
      if (ends.has(type)) {
        this.handlers.onOther(bytes.subarray(at), true);
        return;
      }
      const size = chunk.view.getUint32(at + 1);
      if (size < 4 || !(type === copyData || between.has(type))) {
        throw damagedStream(`got a message of type ${type} and ${size} bytes`);
      }
      const end = at + 1 + size;
      if (end > length) break;
      if (type === copyData) this.handlers.onData(chunk, at + headerBytes, end);
      else this.handlers.onOther(bytes.subarray(at, end), false);
      at = end;
    }
    if (at === length) return;
    this.needed = length - at < headerBytes ? headerBytes : 1 + chunk.view.getUint32(at + 1);
    this.parts.push(bytes.subarray(at));
    this.partBytes = length - at;
  }
}
