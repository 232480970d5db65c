/**
 * Output of a program: lines in large chunks, written only as fast as the reader takes them. Its last line is the
 * report.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { WorkFigures } from '../launch/launcher.ts';
import type { AirbyteMessage } from '../protocol/messages.ts';
import { reportLine } from '../protocol/report.ts';

/** One write costs a system call, and one read of the consumer at the other end. */
const chunkCharacters = 64 * 1024;

export class ProgramOutput {
  /** For the report. */
  figures: WorkFigures = {};
  readonly #target: Writable;
  #text = '';
  #bytes = 0;
  #hasFailure = false;

  constructor(target: Writable) {
    this.#target = target;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a TRACE error is part of the output. */
  get hasFailure(): boolean {
    return this.#hasFailure;
  }

  /** Adds a message. */
  message(message: AirbyteMessage): void {
    this.#hasFailure ||= message.type === 'TRACE' && message.trace.type === 'ERROR';
    this.#text += `${JSON.stringify(message)}\n`;
  }

  /** Adds whole lines. */
  add(lines: string): void {
    this.#text += lines;
  }

  /** Whether `flush` should be called. */
  get isFull(): boolean {
    return this.#text.length >= chunkCharacters;
  }

  /** Writes what was added, and resolves when the reader has room for more. */
  async flush(): Promise<void> {
    if (this.#text === '') return;
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    this.#bytes += bytes.length;
    if (!this.#target.write(bytes)) await once(this.#target, 'drain');
  }

  /** Writes the rest and the report. Resolves when all of it has left this process. */
  async end(): Promise<void> {
    await this.flush();
    const report = reportLine(this.#bytes, this.figures);
    await new Promise<void>((resolve, reject) => {
      this.#target.write(report, (error) => (error ? reject(error) : resolve()));
    });
  }
}
