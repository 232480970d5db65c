/**
 * Encodes record batches as IPC messages. The body is a list of the batch's own buffers, so nothing is copied on the
 * way to a socket.
 */
import { Message, type RecordBatch, type Schema } from 'apache-arrow';
import { encodeBatchMetadata } from './batch-metadata.ts';
import type { Codec } from './compression/buffer-codec.ts';
import { DictionaryTracker } from './dictionary-tracker.ts';
import { type FlatBatch, flatten, flattenBatch } from './flatten-batch.ts';

/** One encapsulated message. */
export interface IpcMessage {
  /** The FlatBuffer, a multiple of 8 bytes. */
  metadata: Uint8Array;
  /** Pieces to send in order, including padding. */
  body: readonly Uint8Array[];
  /** Sum of the lengths in `body`, a multiple of 8. */
  bodyBytes: number;
}

const prefixBytes = 8;
const zeros = new Uint8Array(8);

/** Encodes the schema message that opens a stream; it has no body. */
export function encodeSchema(schema: Schema): Uint8Array {
  const metadata = Message.encode(Message.from(schema));
  const padded = new Uint8Array(Math.ceil(metadata.length / 8) * 8);
  padded.set(metadata);
  return padded;
}

/** Encodes the batches of one stream, including their dictionaries. */
export class BatchEncoder {
  private readonly tracker = new DictionaryTracker();

  /** @param codec compresses each buffer separately, unless that saves nothing */
  constructor(private readonly codec?: Codec) {}

  /** The messages of a batch: dictionaries that the reader lacks, then the batch. */
  encode(batch: RecordBatch): IpcMessage[] {
    const messages = this.tracker.missing(batch).map(({ id, isDelta, values }) => {
      return encodeFlat(flatten([values], values.length), this.codec, { id, isDelta });
    });
    messages.push(encodeBatch(batch, this.codec));
    return messages;
  }
}

/** Encodes one batch without dictionaries. */
export function encodeBatch(batch: RecordBatch, codec?: Codec): IpcMessage {
  return encodeFlat(flattenBatch(batch), codec, undefined);
}

function encodeFlat(
  flat: FlatBatch,
  codec: Codec | undefined,
  dictionary: { id: number; isDelta: boolean } | undefined,
): IpcMessage {
  const body: Uint8Array[] = [];
  const buffers: number[] = [];
  let bodyBytes = 0;
  for (const buffer of flat.buffers) {
    const start = bodyBytes;
    for (const piece of codec ? compressed(buffer, codec) : [buffer]) {
      if (piece.length === 0) continue;
      body.push(piece);
      bodyBytes += piece.length;
    }
    buffers.push(start, bodyBytes - start);
    const padding = -bodyBytes & 7;
    if (padding > 0) {
      body.push(zeros.subarray(0, padding));
      bodyBytes += padding;
    }
  }
  const { length, nodes, variadicCounts } = flat;
  const compression = codec?.name;
  const metadata = encodeBatchMetadata({
    ...{ length, nodes, buffers, variadicCounts, compression, bodyBytes },
    ...(dictionary ? { dictionary } : {}),
  });
  return { metadata, body, bodyBytes };
}

/** A buffer prefixed with its size, or with −1 if it is stored uncompressed. */
function compressed(buffer: Uint8Array, codec: Codec): Uint8Array[] {
  if (buffer.length === 0) return [];
  const frame = codec.compress(buffer);
  const prefix = new Uint8Array(prefixBytes);
  const gains = frame.length < buffer.length;
  new DataView(prefix.buffer).setBigInt64(0, gains ? BigInt(buffer.length) : -1n, true);
  return [prefix, gains ? frame : buffer];
}
