/**
 * Writes the metadata of a batch as a FlatBuffer of fixed layout. It is written once per message, and a table of few
 * fields with three vectors needs no builder.
 */
import type { CompressionName } from './decode-message.ts';

export interface BatchMetadata {
  length: number;
  /** Length and null count, alternating. */
  nodes: readonly number[];
  /** Offset in the body and length, alternating. */
  buffers: readonly number[];
  variadicCounts: readonly number[];
  compression: CompressionName | undefined;
  bodyBytes: number;
  /** Set for a dictionary batch. */
  dictionary?: { id: number; isDelta: boolean };
}

const version5 = 4;
const kinds = { dictionaryBatch: 2, recordBatch: 3 };
const codecs = { lz4: 0, zstd: 1 };

// Positions: the table of the message follows its layout, then the dictionary's table, then the batch's.
const messageAt = 16;
const dictionaryAt = 48;

/** @returns the FlatBuffer, padded to a multiple of 8 bytes */
export function encodeBatchMetadata(batch: BatchMetadata): Uint8Array {
  const batchAt = batch.dictionary ? 80 : 56;
  const nodesAt = batchAt + 28;
  const buffersAt = nodesAt + 4 + 8 * batch.nodes.length + 4;
  const variadicAt = buffersAt + 4 + 8 * batch.buffers.length + 4;
  const hasVariadic = batch.variadicCounts.length > 0;
  const compressionAt = variadicAt - 4 + (hasVariadic ? 8 + 8 * batch.variadicCounts.length : 0);
  const bytes = new Uint8Array(compressionAt + (batch.compression ? 16 : 0));
  const view = new DataView(bytes.buffer);

  view.setUint32(0, messageAt, true);
  putTable(view, messageAt, 4, 19, [16, 18, 4, 8]);
  putReference(view, messageAt + 4, batch.dictionary ? dictionaryAt : batchAt);
  putInt64(view, messageAt + 8, batch.bodyBytes);
  view.setInt16(messageAt + 16, version5, true);
  bytes[messageAt + 18] = batch.dictionary ? kinds.dictionaryBatch : kinds.recordBatch;

  if (batch.dictionary) {
    putTable(view, dictionaryAt, 36, 17, [8, 4, 16]);
    putReference(view, dictionaryAt + 4, batchAt);
    putInt64(view, dictionaryAt + 8, batch.dictionary.id);
    bytes[dictionaryAt + 16] = Number(batch.dictionary.isDelta);
  }

  putTable(view, batchAt, batch.dictionary ? 66 : 36, 28, [8, 4, 16, batch.compression ? 20 : 0, hasVariadic ? 24 : 0]);
  putReference(view, batchAt + 4, nodesAt);
  putInt64(view, batchAt + 8, batch.length);
  putReference(view, batchAt + 16, buffersAt);
  putNumbers(view, nodesAt, batch.nodes, 2);
  putNumbers(view, buffersAt, batch.buffers, 2);
  if (hasVariadic) {
    putReference(view, batchAt + 24, variadicAt);
    putNumbers(view, variadicAt, batch.variadicCounts, 1);
  }
  if (batch.compression) {
    putReference(view, batchAt + 20, compressionAt + 8);
    putTable(view, compressionAt + 8, compressionAt, 6, [4, 5]);
    bytes[compressionAt + 12] = codecs[batch.compression];
  }
  return bytes;
}

/**
 * Writes the layout of a table at `layoutAt`, and the table's reference to it.
 * @param offsets of its fields; 0 for an absent one
 */
function putTable(view: DataView, at: number, layoutAt: number, size: number, offsets: readonly number[]): void {
  view.setUint16(layoutAt, 4 + 2 * offsets.length, true);
  view.setUint16(layoutAt + 2, size, true);
  offsets.forEach((offset, i) => void view.setUint16(layoutAt + 4 + 2 * i, offset, true));
  view.setInt32(at, at - layoutAt, true);
}

function putReference(view: DataView, at: number, to: number): void {
  view.setUint32(at, to - at, true);
}

/** A vector; its length counts structs of `perStruct` numbers. */
function putNumbers(view: DataView, at: number, numbers: readonly number[], perStruct: number): void {
  view.setUint32(at, numbers.length / perStruct, true);
  for (let i = 0; i < numbers.length; i++) putInt64(view, at + 4 + 8 * i, numbers[i] as number);
}

function putInt64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value >>> 0, true);
  view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
}
