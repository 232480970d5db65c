/**
 * Flattens record batches into nodes and buffers, in the order of the format. Buffers are views of the batch, except
 * for slices that start inside a byte or an offset.
 */
import type { Data, DataType, RecordBatch, Union } from 'apache-arrow';
import { bitsFrom } from './bits.ts';
import { layoutOf } from './layout.ts';

/** One batch, ready to encode. */
export interface FlatBatch {
  /** Number of rows. */
  length: number;
  /** Length and null count, alternating. */
  nodes: number[];
  buffers: Uint8Array[];
  /** Number of variadic buffers of each view column. */
  variadicCounts: number[];
}

export function flattenBatch(batch: RecordBatch): FlatBatch {
  return flatten(batch.data.children, batch.numRows);
}

/** @param columns each with at least `length` values */
export function flatten(columns: readonly Data[], length: number): FlatBatch {
  const flat: FlatBatch = { length, nodes: [], buffers: [], variadicCounts: [] };
  for (const column of columns) add(flat, part(column, 0, length));
  return flat;
}

const nothing = new Uint8Array(0);

function add(flat: FlatBatch, data: Data): void {
  const { type, length } = data;
  const layout = layoutOf(type);
  if (layout.kind === 'null') {
    flat.nodes.push(length, length);
    return;
  }
  if (layout.kind === 'sparse-union' || layout.kind === 'dense-union') {
    addUnion(flat, data as Data<Union>, layout.kind === 'dense-union');
    return;
  }
  const { nullCount } = data;
  flat.nodes.push(length, nullCount);
  flat.buffers.push(nullCount === 0 ? nothing : bitsFrom(data.nullBitmap, data.offset, length));
  switch (layout.kind) {
    case 'bits':
      flat.buffers.push(bitsFrom(data.values, data.offset, length));
      break;
    case 'fixed':
    case 'dictionary':
      flat.buffers.push(bytesOf(data.values, length * layout.byteWidth));
      break;
    case 'view':
      flat.buffers.push(bytesOf(data.values, 16 * length), ...data.variadicBuffers);
      flat.variadicCounts.push(data.variadicBuffers.length);
      break;
    case 'variable': {
      const { offsets, first, last } = fromZero(data);
      flat.buffers.push(
        bytesOf(offsets, offsets.byteLength),
        (data.values as Uint8Array | undefined)?.subarray(first, last) ?? nothing,
      );
      break;
    }
    case 'list': {
      const { offsets, first, last } = fromZero(data);
      flat.buffers.push(bytesOf(offsets, offsets.byteLength));
      add(flat, part(data.children[0] as Data, first, last - first));
      break;
    }
    case 'fixed-list':
      add(flat, part(data.children[0] as Data, 0, length * layout.size));
      break;
    case 'struct':
      for (const child of data.children) add(flat, part(child, 0, length));
      break;
  }
}

function addUnion(flat: FlatBatch, data: Data<Union>, isDense: boolean): void {
  flat.nodes.push(data.length, 0);
  flat.buffers.push(bytesOf(data.typeIds, data.length));
  if (isDense) flat.buffers.push(bytesOf(data.valueOffsets, 4 * data.length));
  for (const child of data.children) add(flat, isDense ? child : part(child, 0, data.length));
}

function part<T extends DataType>(data: Data<T>, from: number, length: number): Data<T> {
  return from === 0 && data.length === length ? data : data.slice(from, length);
}

function bytesOf(values: ArrayBufferView | undefined, bytes: number): Uint8Array {
  return values ? new Uint8Array(values.buffer, values.byteOffset, bytes) : nothing;
}

/** Offsets that start with 0, and their original first and last value. */
function fromZero({ valueOffsets, length }: Data): {
  offsets: Int32Array | BigInt64Array;
  first: number;
  last: number;
} {
  const given = (valueOffsets as Int32Array | BigInt64Array | undefined)?.subarray(0, length + 1);
  if (!given || given.length === 0) return { offsets: new Int32Array(2), first: 0, last: 0 };
  const first = Number(given[0]);
  const last = Number(given[length]);
  if (first === 0) return { offsets: given, first, last };
  const offsets =
    given instanceof BigInt64Array ? given.map((o) => o - BigInt(first)) : given.map((offset) => offset - first);
  return { offsets, first, last };
}
