/**
 * Builds columns from chosen rows. The result contains only their values, so withheld data cannot leak through a
 * buffer, a dictionary or the bytes of a null. The row −1 gives a null. Values are copied as bytes: the builders of
 * Apache Arrow would round times and change texts that are not valid UTF-8.
 */
import { bitAt, bitmapBytes, layoutOf } from '@topo-bench/arrow-flight/ipc';
import { BufferType, Data, type DataType, type Dictionary, type Field, type Union, Vector } from 'apache-arrow';
import { unsupported } from '../errors.ts';
import { type Allocate, freshMemory } from './batch-memory.ts';

type TypedArray = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array | Float64Array;
type TypedConstructor = {
  new (length: number): TypedArray;
  new (memory: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
};
type Offsets = Int32Array | BigInt64Array;

/** Buffers and children of a column. */
interface Parts {
  offsets?: Offsets;
  values?: ArrayBufferView;
  typeIds?: Int8Array;
  children?: Data[];
  dictionary?: Vector;
  variadic?: Uint8Array[];
}

/**
 * @param type of the result: that of `data`, with its own dictionary ids (`ownDictionaries`)
 * @param allocate memory of the values; never that of a dictionary
 */
export function gather(type: DataType, data: Data, rows: Int32Array, allocate: Allocate = freshMemory): Data {
  const { kind } = layoutOf(type);
  if (kind === 'null') return new Data(type, 0, rows.length, rows.length, {});
  // A union has no nulls of its own.
  if (kind === 'sparse-union' || kind === 'dense-union')
    return column(type, rows, 0, unionParts(type as Union, data, rows, allocate));
  const present = presentRows(data, rows);
  return column(type, present, missing(present), partsOf(type, data, present, allocate));
}

/** @param rows those with a value; −1 for others */
export function gatherStruct(type: DataType, rows: Int32Array, children: Data[]): Data {
  return column(type, rows, missing(rows), { children });
}

/** The rows with nulls of the column as −1. */
export function presentRows(data: Data, rows: Int32Array): Int32Array {
  return data.nullCount === 0 ? rows : rows.map((row) => (row >= 0 && isValid(data, row) ? row : -1));
}

export function isValid(data: Data, row: number): boolean {
  return data.nullCount === 0 || bitAt(data.nullBitmap, data.offset + row);
}

/** Whether rows share memory, so that some rows cannot be sent without the others. */
export function sharesMemory(type: DataType): boolean {
  const { kind } = layoutOf(type);
  const isShared = kind === 'dictionary' || kind === 'view' || kind === 'dense-union';
  return isShared || (type.children ?? []).some((field) => sharesMemory(field.type));
}

function missing(rows: Int32Array): number {
  return rows.filter((row) => row < 0).length;
}

function column(type: DataType, rows: Int32Array, nullCount: number, parts: Parts): Data {
  const buffers = {
    [BufferType.OFFSET]: parts.offsets,
    [BufferType.DATA]: parts.values,
    [BufferType.VALIDITY]: nullCount > 0 ? bitsOf(rows, (row) => row >= 0) : new Uint8Array(0),
    [BufferType.TYPE]: parts.typeIds,
  };
  return new Data(type, 0, rows.length, nullCount, buffers, parts.children, parts.dictionary, parts.variadic);
}

/** Parts of a type with nulls of its own. */
function partsOf(type: DataType, data: Data, rows: Int32Array, allocate: Allocate): Parts {
  const layout = layoutOf(type);
  const child = (index: number, inner: Int32Array): Data =>
    gather((type.children[index] as Field).type, data.children[index] as Data, inner, allocate);
  switch (layout.kind) {
    case 'bits':
      return { values: bitsOf(rows, (row) => row >= 0 && bitAt(data.values, data.offset + row)) };
    case 'fixed':
      return { values: fixedValues(data, rows, layout.byteWidth, allocate) };
    case 'variable':
      return variableValues(data, rows, allocate);
    case 'view':
      return viewValues(data, rows);
    case 'list': {
      const { offsets, starts } = offsetsOf(data, rows, allocate);
      const inner = new Int32Array(Number(offsets[rows.length]));
      starts.forEach((start, i) => {
        for (let at = Number(offsets[i]); at < Number(offsets[i + 1]); at++)
          inner[at] = start + at - Number(offsets[i]);
      });
      return { offsets, children: [child(0, inner)] };
    }
    case 'fixed-list': {
      const { size } = layout;
      const inner = new Int32Array(rows.length * size);
      rows.forEach((row, i) => {
        for (let j = 0; j < size; j++) inner[i * size + j] = row < 0 ? -1 : row * size + j;
      });
      return { children: [child(0, inner)] };
    }
    case 'struct':
      return { children: type.children.map((_, i) => child(i, rows)) };
    case 'dictionary':
      return usedValues(type as Dictionary, data, rows);
    default:
      return {};
  }
}

function bitsOf(rows: Int32Array, isSet: (row: number) => boolean): Uint8Array {
  const bits = new Uint8Array(bitmapBytes(rows.length));
  rows.forEach((row, i) => {
    if (isSet(row)) bits[i >>> 3] = (bits[i >>> 3] as number) | (1 << (i & 7));
  });
  return bits;
}

/** Copied as integers: copies of doubles may not preserve every bit. */
function fixedValues(data: Data, rows: Int32Array, byteWidth: number, allocate: Allocate): TypedArray {
  const source = data.values as TypedArray;
  const Unit = source.BYTES_PER_ELEMENT % 4 === 0 ? Int32Array : Uint8Array;
  const stride = byteWidth / Unit.BYTES_PER_ELEMENT;
  const from = new Unit(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength / Unit.BYTES_PER_ELEMENT);
  const bytes = rows.length * byteWidth;
  const memory = allocate(bytes);
  const to = new Unit(memory, 0, rows.length * stride);
  rows.forEach((row, i) => {
    for (let j = 0; j < stride; j++) to[i * stride + j] = row < 0 ? 0 : (from[row * stride + j] as number);
  });
  return new (source.constructor as TypedConstructor)(memory, 0, bytes / source.BYTES_PER_ELEMENT);
}

function variableValues(data: Data, rows: Int32Array, allocate: Allocate): Parts {
  const source = data.values as Uint8Array;
  const { offsets, starts } = offsetsOf(data, rows, allocate);
  const total = Number(offsets[rows.length]);
  const values = new Uint8Array(allocate(total), 0, total);
  starts.forEach((start, i) => {
    const at = Number(offsets[i]);
    const length = Number(offsets[i + 1]) - at;
    if (length > 0) values.set(source.subarray(start, start + length), at);
  });
  return { offsets, values };
}

/**
 * Offsets of the result, where a null has length 0, and starts of the values in the source.
 * @throws TopoBenchError `TB_ARROW_UNSUPPORTED` when an offset exceeds 31 bits
 */
function offsetsOf(data: Data, rows: Int32Array, allocate: Allocate): { offsets: Offsets; starts: Int32Array } {
  const given = data.valueOffsets as Offsets;
  if (Number(given[data.length]) >= 2 ** 31)
    throw unsupported('rules on a batch with 2 GiB or more in one column', 'send smaller batches');
  const offsets = new Int32Array(allocate(4 * (rows.length + 1)), 0, rows.length + 1);
  const starts = new Int32Array(rows.length);
  let total = 0;
  rows.forEach((row, i) => {
    offsets[i] = total;
    if (row < 0) return;
    starts[i] = Number(given[row]);
    total += Number(given[row + 1]) - (starts[i] as number);
  });
  offsets[rows.length] = total;
  return { offsets: given instanceof BigInt64Array ? BigInt64Array.from(offsets, BigInt) : offsets, starts };
}

const viewBytes = 16;
const inlineBytes = 12;

/** Views hold short values and refer to long ones, which are joined in one buffer. */
function viewValues(data: Data, rows: Int32Array): Parts {
  const source = data.values as Uint8Array;
  const from = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const values = new Uint8Array(viewBytes * rows.length);
  const to = new DataView(values.buffer);
  const long: Uint8Array[] = [];
  let end = 0;
  rows.forEach((row, i) => {
    if (row < 0) return;
    const length = from.getInt32(viewBytes * row, true);
    const head = length > inlineBytes ? 8 : 4 + length;
    values.set(source.subarray(viewBytes * row, viewBytes * row + head), viewBytes * i);
    if (length <= inlineBytes) return;
    const buffer = data.variadicBuffers[from.getInt32(viewBytes * row + 8, true)] as Uint8Array;
    const start = from.getInt32(viewBytes * row + 12, true);
    long.push(buffer.subarray(start, start + length));
    to.setInt32(viewBytes * i + 12, end, true);
    end += length;
  });
  return { values, variadic: long.length > 0 ? [new Uint8Array(Buffer.concat(long))] : [] };
}

/**
 * Indices, and a dictionary with only the values of the rows, in the order of their first use: the order that they had
 * depends on rows that are left out. An ordered dictionary keeps its order, which is part of its meaning.
 */
function usedValues(type: Dictionary, data: Data, rows: Int32Array): Parts {
  const indices = data.values as TypedArray;
  const asked = Array.from(rows, (row) => (row < 0 ? undefined : Number(indices[row])));
  const used = [...new Set(asked.filter((index) => index !== undefined))];
  if (type.isOrdered) used.sort((a, b) => a - b);
  const runs = runsOf(used, (data.dictionary as Vector).data);
  const places = new Map(runs.flatMap(({ indexes }) => indexes).map((index, place) => [index, place]));
  const numbers = asked.map((index) => (index === undefined ? 0 : (places.get(index) as number)));
  const array = indices.constructor as unknown as { from(values: readonly (number | bigint)[]): TypedArray };
  // The types of the library leave out indices of 64 bits, which its reader accepts.
  const values = array.from((type.indices.bitWidth as number) === 64 ? numbers.map(BigInt) : numbers);
  const pieces = runs.map(({ part, first, indexes }) =>
    gather(
      type.dictionary,
      part,
      Int32Array.from(indexes, (index) => index - first),
    ),
  );
  return { values, dictionary: new Vector(pieces) };
}

/** The indexes by the part of the dictionary that has them; one run without indexes if there are none. */
function runsOf(
  indexes: readonly number[],
  parts: readonly Data[],
): { part: Data; first: number; indexes: number[] }[] {
  let end = 0;
  const all = parts.map((part) => {
    const first = end;
    end += part.length;
    return { part, first, indexes: [] as number[] };
  });
  const found = new Set<(typeof all)[number]>();
  for (const index of indexes) {
    const run = all.find(({ part, first }) => index < first + part.length) as (typeof all)[number];
    run.indexes.push(index);
    found.add(run);
  }
  return found.size > 0 ? [...found] : all.slice(0, 1);
}

/** A null is a null of the first child. */
function unionParts(type: Union, data: Data, rows: Int32Array, allocate: Allocate): Parts {
  const first = type.typeIds[0] ?? 0;
  const typeIds = Int8Array.from(rows, (row) => (row < 0 ? first : (data.typeIds[row] as number)));
  const child = (index: number, inner: Int32Array): Data =>
    gather((type.children[index] as Field).type, data.children[index] as Data, inner, allocate);
  if (layoutOf(type).kind === 'sparse-union') return { typeIds, children: type.children.map((_, i) => child(i, rows)) };
  const inner: number[][] = type.children.map(() => []);
  const offsets = Int32Array.from(rows, (row, i) => {
    const list = inner[type.typeIdToChildIndex[typeIds[i] as number] as number] as number[];
    return list.push(row < 0 ? -1 : Number(data.valueOffsets[row])) - 1;
  });
  return { typeIds, offsets, children: inner.map((list, i) => child(i, Int32Array.from(list))) };
}
