/**
 * Builds columns of chosen rows: only these rows' values are in the result, so that what rules withhold does not travel along in a buffer,
 * a dictionary or behind a null. The row −1 makes a null.
 */
import { BufferType, Data, type DataType, type Dictionary, type Union, Vector } from 'apache-arrow';
import { bitAt, bitmapBytes } from '../ipc/bits.ts';
import { type Layout, layoutOf } from '../ipc/layout.ts';

/** What of the values of a column is a buffer or child of its own. */
interface Parts {
  offsets?: Int32Array | BigInt64Array;
  values?: ArrayBufferView;
  typeIds?: Int8Array;
  children?: Data[];
  dictionary?: Vector;
  variadic?: Uint8Array[];
}

/** A dictionary of a stream: the values that its rows have used so far. */
interface UsedDictionary {
  source: Vector;
  /** From index in the source to index here; −1 for one that no row has used. */
  indexOf: Int32Array;
  values: Vector;
}

type TypedArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;
type TypedConstructor = new (length: number) => TypedArray;

/** Gathers the columns of one stream. */
export class Gatherer {
  private readonly dictionaries = new Map<number, UsedDictionary>();

  /** @param type of the result: that of `data`, with dictionaries of their own ids (`ownDictionaries`) */
  gather(type: DataType, data: Data, rows: Int32Array): Data {
    const layout = layoutOf(type);
    const { nullBitmap, nullCount } = validity(layout, data, rows);
    const parts = this.parts(layout, type, data, rows);
    const buffers = {
      [BufferType.OFFSET]: parts.offsets,
      [BufferType.DATA]: parts.values,
      [BufferType.VALIDITY]: nullBitmap,
      [BufferType.TYPE]: parts.typeIds,
    };
    return new Data(type, 0, rows.length, nullCount, buffers, parts.children ?? [], parts.dictionary, parts.variadic ?? []);
  }

  private parts(layout: Layout, type: DataType, data: Data, rows: Int32Array): Parts {
    switch (layout.kind) {
      case 'null':
        return {};
      case 'bits':
        return { values: gatherBits(data, rows) };
      case 'fixed':
        return { values: gatherFixed(data, rows, layout.byteWidth) };
      case 'variable':
        return gatherVariable(data, rows);
      case 'view':
        return gatherViews(data, rows);
      case 'list': {
        const { offsets, inner } = listRows(data, rows);
        return { offsets, children: [this.child(type, data, 0, inner)] };
      }
      case 'fixed-list': {
        const inner = new Int32Array(rows.length * layout.size);
        for (let i = 0; i < inner.length; i++) {
          const row = rows[Math.floor(i / layout.size)] as number;
          inner[i] = row < 0 ? -1 : row * layout.size + (i % layout.size);
        }
        return { children: [this.child(type, data, 0, inner)] };
      }
      case 'struct':
        return { children: type.children.map((_, i) => this.child(type, data, i, rows)) };
      case 'sparse-union': {
        const typeIds = unionTypes(type as Union, data, rows);
        return { typeIds, children: type.children.map((_, i) => this.child(type, data, i, rows)) };
      }
      case 'dense-union':
        return this.denseUnion(type as Union, data, rows);
      case 'dictionary':
        return this.dictionary(type as Dictionary, data, rows);
    }
  }

  private child(type: DataType, data: Data, index: number, rows: Int32Array): Data {
    return this.gather((type.children[index] as { type: DataType }).type, data.children[index] as Data, rows);
  }

  private denseUnion(type: Union, data: Data, rows: Int32Array): Parts {
    const typeIds = unionTypes(type, data, rows);
    const offsets = new Int32Array(rows.length);
    const inner: number[][] = type.children.map(() => []);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const list = inner[type.typeIdToChildIndex[typeIds[i] as number] as number] as number[];
      offsets[i] = list.length;
      list.push(row < 0 ? -1 : Number(data.valueOffsets[row]));
    }
    return { typeIds, offsets, children: inner.map((list, i) => this.child(type, data, i, Int32Array.from(list))) };
  }

  private dictionary(type: Dictionary, data: Data, rows: Int32Array): Parts {
    const source = data.dictionary as Vector;
    let used = this.dictionaries.get(type.id);
    if (used?.source !== source) {
      used = { source, indexOf: new Int32Array(source.length).fill(-1), values: this.gatherVector(type.dictionary, source, []) };
    }
    const indices = data.values as TypedArray;
    const values = new (indices.constructor as TypedConstructor)(rows.length);
    const fresh: number[] = [];
    const known = used.values.length;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (row < 0 || !isValid(data, row)) continue;
      const index = Number(indices[row]);
      if ((used.indexOf[index] as number) < 0) {
        used.indexOf[index] = known + fresh.length;
        fresh.push(index);
      }
      values[i] = used.indexOf[index] as number;
    }
    if (fresh.length > 0) used.values = joined(used.values, this.gatherVector(type.dictionary, source, fresh));
    this.dictionaries.set(type.id, used);
    return { values, dictionary: used.values };
  }

  private gatherVector(type: DataType, { data: parts }: Vector, rows: number[]): Vector {
    if (parts.length === 1) return new Vector([this.gather(type, parts[0] as Data, Int32Array.from(rows))]);
    // Row by row, so that the order of the rows holds across the parts.
    const pieces = rows.map((row) => {
      let at = row;
      const part = parts.find(({ length }) => {
        if (at < length) return true;
        at -= length;
        return false;
      });
      return this.gather(type, part as Data, Int32Array.of(at));
    });
    return new Vector(pieces.length > 0 ? pieces : [this.gather(type, parts[0] as Data, new Int32Array(0))]);
  }
}

/** Whether values of a type lie in memory that rows share, so that a part of the rows cannot be sent without the rest. */
export function sharesMemory(type: DataType): boolean {
  const { kind } = layoutOf(type);
  return (
    kind === 'dictionary' ||
    kind === 'view' ||
    kind === 'dense-union' ||
    (type.children ?? []).some((field) => sharesMemory(field.type))
  );
}

function joined(before: Vector, added: Vector): Vector {
  return before.length === 0 ? added : before.concat(added);
}

function isValid(data: Data, row: number): boolean {
  return data.nullCount === 0 || bitAt(data.nullBitmap, data.offset + row);
}

function validity(layout: Layout, data: Data, rows: Int32Array): { nullBitmap: Uint8Array; nullCount: number } {
  const none = new Uint8Array(0);
  if (layout.kind === 'null') return { nullBitmap: none, nullCount: rows.length };
  if (layout.kind === 'sparse-union' || layout.kind === 'dense-union') return { nullBitmap: none, nullCount: 0 };
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  let valid = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0 || !isValid(data, row)) continue;
    bitmap[i >>> 3] = (bitmap[i >>> 3] as number) | (1 << (i & 7));
    valid++;
  }
  return valid === rows.length ? { nullBitmap: none, nullCount: 0 } : { nullBitmap: bitmap, nullCount: rows.length - valid };
}

function gatherBits(data: Data, rows: Int32Array): Uint8Array {
  const bits = new Uint8Array(bitmapBytes(rows.length));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row >= 0 && bitAt(data.values as Uint8Array, data.offset + row))
      bits[i >>> 3] = (bits[i >>> 3] as number) | (1 << (i & 7));
  }
  return bits;
}

function gatherFixed(data: Data, rows: Int32Array, byteWidth: number): ArrayBufferView {
  const source = data.values as TypedArray;
  const gathered = new (source.constructor as TypedConstructor)((rows.length * byteWidth) / source.BYTES_PER_ELEMENT);
  const stride = byteWidth / source.BYTES_PER_ELEMENT;
  if (stride === 1 && byteWidth === 8) {
    // As doubles, whose bits nothing looks at: a BigInt for each value would be an object.
    const from = new Float64Array(source.buffer, source.byteOffset, source.length);
    const to = new Float64Array(gathered.buffer);
    for (let i = 0; i < rows.length; i++) if ((rows[i] as number) >= 0) to[i] = from[rows[i] as number] as number;
    return gathered;
  }
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0) continue;
    for (let j = 0; j < stride; j++) gathered[i * stride + j] = source[row * stride + j] as number;
  }
  return gathered;
}

function gatherVariable(data: Data, rows: Int32Array): Parts {
  const source = data.values as Uint8Array;
  const { starts, ends, total } = ranges(data, rows);
  const values = new Uint8Array(total);
  let at = 0;
  for (let i = 0; i < rows.length; ) {
    // Neighbours are copied as one run.
    let last = i;
    while (last + 1 < rows.length && starts[last + 1] === ends[last]) last++;
    values.set(source.subarray(starts[i], ends[last]), at);
    at += (ends[last] as number) - (starts[i] as number);
    i = last + 1;
  }
  return { values, offsets: offsetsOf(data, starts, ends) };
}

/** Where the values of rows begin and end; a null has no length. */
function ranges(data: Data, rows: Int32Array): { starts: Float64Array; ends: Float64Array; total: number } {
  const starts = new Float64Array(rows.length);
  const ends = new Float64Array(rows.length);
  let total = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0 || !isValid(data, row)) continue;
    starts[i] = Number(data.valueOffsets[row]);
    ends[i] = Number(data.valueOffsets[row + 1]);
    total += (ends[i] as number) - (starts[i] as number);
  }
  return { starts, ends, total };
}

function offsetsOf(data: Data, starts: Float64Array, ends: Float64Array): Int32Array | BigInt64Array {
  const offsets = new Float64Array(starts.length + 1);
  for (let i = 0; i < starts.length; i++) offsets[i + 1] = (offsets[i] as number) + (ends[i] as number) - (starts[i] as number);
  return data.valueOffsets instanceof BigInt64Array
    ? BigInt64Array.from(offsets, (offset) => BigInt(offset))
    : Int32Array.from(offsets);
}

function listRows(data: Data, rows: Int32Array): { offsets: Int32Array | BigInt64Array; inner: Int32Array } {
  const { starts, ends, total } = ranges(data, rows);
  const inner = new Int32Array(total);
  let at = 0;
  for (let i = 0; i < rows.length; i++) {
    for (let row = starts[i] as number; row < (ends[i] as number); row++) inner[at++] = row;
  }
  return { offsets: offsetsOf(data, starts, ends), inner };
}

const viewBytes = 16;
const inlineBytes = 12;

function gatherViews(data: Data, rows: Int32Array): Parts {
  const source = data.values as Uint8Array;
  const from = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const values = new Uint8Array(viewBytes * rows.length);
  const to = new DataView(values.buffer);
  const long: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0 || !isValid(data, row)) continue;
    const length = from.getInt32(viewBytes * row, true);
    const head = length > inlineBytes ? 8 : 4 + length;
    values.set(source.subarray(viewBytes * row, viewBytes * row + head), viewBytes * i);
    if (length <= inlineBytes) continue;
    const start = from.getInt32(viewBytes * row + 12, true);
    long.push((data.variadicBuffers[from.getInt32(viewBytes * row + 8, true)] as Uint8Array).subarray(start, start + length));
    to.setInt32(viewBytes * i + 12, at, true);
    at += length;
  }
  return { values, variadic: long.length > 0 ? [new Uint8Array(Buffer.concat(long))] : [] };
}

/** A null of a union is one of its first child. */
function unionTypes(type: Union, data: Data, rows: Int32Array): Int8Array {
  const first = type.typeIds[0] ?? 0;
  return Int8Array.from(rows, (row) => (row < 0 ? first : (data.typeIds[row] as number)));
}
