/**
 * Decodes the metadata of one encapsulated message: its kind and, for batches, the position of each buffer in the body.
 */
import type { Schema } from 'apache-arrow';
import { malformed, unsupported } from '../errors.ts';
import { decodeSchema } from './decode-schema.ts';
import { FlatTable } from './flat-table.ts';

export type CompressionName = 'lz4' | 'zstd';

/** The layout of one record batch in its body. */
export interface BatchHeader {
  /** Number of rows. */
  length: number;
  /** Length and null count per node, in depth-first order of the fields. */
  nodes: Float64Array;
  /** Offset and length in the body per buffer, in the same order. */
  buffers: Float64Array;
  /** Number of variadic buffers of each view column. */
  variadicCounts: Float64Array;
  compression: CompressionName | undefined;
}

export type MessageHeader =
  | { kind: 'schema'; schema: Schema; bodyBytes: number }
  | { kind: 'record-batch'; batch: BatchHeader; bodyBytes: number }
  | { kind: 'dictionary-batch'; batch: BatchHeader; id: number; isDelta: boolean; bodyBytes: number };

// Fields of the tables in Message.fbs.
const messageTable = { version: 0, headerKind: 1, header: 2, bodyLength: 3 };
const dictionaryBatchTable = { id: 0, data: 1, isDelta: 2 };
const batchTable = { length: 0, nodes: 1, buffers: 2, compression: 3, variadicCounts: 4 };
const version5 = 4;
const codecs = ['lz4', 'zstd'] as const;

/**
 * @param metadata the FlatBuffer of the message, without its length prefix
 * @throws ArrowError `ARROW_MALFORMED`, `ARROW_UNSUPPORTED`
 */
export function decodeMessage(metadata: Uint8Array): MessageHeader {
  const message = FlatTable.root(metadata);
  const version = message.int16(messageTable.version, 0);
  if (version < 0 || version > version5) throw malformed(`its metadata has the version number ${version}`);
  if (version < version5)
    throw unsupported(`Arrow metadata of version V${version + 1}`, 'write it with Arrow 1.0 or newer (V5)');
  const bodyBytes = message.int64(messageTable.bodyLength);
  if (bodyBytes < 0) throw malformed(`its body has the length ${bodyBytes}`);
  const header = message.table(messageTable.header);
  if (!header) throw malformed('its metadata names no content');
  switch (message.int8(messageTable.headerKind, 0)) {
    case 1:
      return { kind: 'schema', schema: decodeSchema(header), bodyBytes };
    case 2:
      return decodeDictionaryBatch(header, bodyBytes);
    case 3:
      return { kind: 'record-batch', batch: decodeBatch(header, bodyBytes), bodyBytes };
    case 4:
    case 5:
      throw unsupported('an Arrow tensor', 'send tables: schema and record batches');
    default:
      throw malformed(`its metadata is of kind ${message.int8(messageTable.headerKind, 0)}`);
  }
}

function decodeDictionaryBatch(header: FlatTable, bodyBytes: number): MessageHeader {
  const data = header.table(dictionaryBatchTable.data);
  if (!data) throw malformed('its dictionary batch holds no values');
  const id = header.int64(dictionaryBatchTable.id);
  const isDelta = header.bool(dictionaryBatchTable.isDelta);
  return { kind: 'dictionary-batch', batch: decodeBatch(data, bodyBytes), id, isDelta, bodyBytes };
}

function decodeBatch(table: FlatTable, bodyBytes: number): BatchHeader {
  const length = table.int64(batchTable.length);
  const nodes = table.int64s(table.structs(batchTable.nodes, 16), 2);
  const buffers = table.int64s(table.structs(batchTable.buffers, 16), 2);
  const variadicCounts = table.int64s(table.structs(batchTable.variadicCounts, 8), 1);
  for (let i = 0; i < buffers.length; i += 2) {
    const [offset, size] = [buffers[i] as number, buffers[i + 1] as number];
    if (offset < 0 || size < 0 || offset + size > bodyBytes) {
      throw malformed(`a buffer is at ${offset} with ${size} bytes, in a body of ${bodyBytes} bytes`);
    }
  }
  return {
    length,
    nodes,
    buffers,
    variadicCounts,
    compression: decodeCompression(table.table(batchTable.compression)),
  };
}

function decodeCompression(table: FlatTable | undefined): CompressionName | undefined {
  if (!table) return undefined;
  const [codec, method] = [table.int8(0, 0), table.int8(1, 0)];
  const name = codecs[codec];
  if (!name || method !== 0) throw malformed(`its body is compressed with codec ${codec} by method ${method}`);
  return name;
}
