/**
 * Builds arrays from the nodes and buffers of one batch, in the order of the format. Validates all values without
 * copying them.
 */
import { BufferType, Data, type DataType, type Dictionary, type Union, type Vector } from 'apache-arrow';
import { malformed } from '../errors.ts';
import { bitmapBytes, countOnes } from './bits.ts';
import {
  checkIndices,
  checkOffsets32,
  checkOffsets64,
  checkText,
  checkUnion,
  checkViews,
  type Indices,
} from './check-values.ts';
import type { BatchHeader } from './decode-message.ts';
import { type Layout, layoutOf } from './layout.ts';

/** Max rows without data. A larger batch needs at least one bit per row: rows without data cost an attacker nothing. */
const maxUnbackedRows = 2 ** 20;

/** Buffers and children of an array. */
interface Parts {
  offsets?: Int32Array | BigInt64Array;
  values?: ArrayBufferView;
  typeIds?: Int8Array;
  children?: Data[];
  dictionary?: Vector;
  variadic?: Uint8Array[];
}

interface Node {
  length: number;
  nullCount: number;
  /** Empty without nulls. */
  bitmap: Uint8Array;
}

const noBits = new Uint8Array(0);

export class ArrayDecoder {
  private node = 0;
  private buffer = 0;
  private variadic = 0;
  private readonly maxRows: number;

  /**
   * @param buffers of the body, decompressed, in the order of the header
   * @param dictionaries received so far, by id
   */
  constructor(
    private readonly header: BatchHeader,
    private readonly buffers: readonly Uint8Array[],
    private readonly dictionaries: ReadonlyMap<number, Vector>,
  ) {
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    this.maxRows = Math.max(8 * bytes, maxUnbackedRows);
    this.checkLength(header.length);
  }

  /** The next column, of exactly `length` rows. */
  column(type: DataType, length: number): Data {
    const data = this.array(type);
    if (data.length !== length) throw malformed(`a column has ${data.length} values, expected ${length}`);
    return data;
  }

  /** Call it after the last column: leftover buffers mean that schema and batch do not match. */
  end(): void {
    const { header, buffers } = this;
    if (
      2 * this.node !== header.nodes.length ||
      this.buffer !== buffers.length ||
      this.variadic !== header.variadicCounts.length
    ) {
      throw malformed(
        `a batch has ${header.nodes.length / 2} nodes and ${buffers.length} buffers; its schema makes ${this.node} and ${this.buffer}`,
      );
    }
  }

  private array(type: DataType): Data {
    const layout = layoutOf(type);
    const node = this.nextNode(layout);
    const parts = this.parts(type, layout, node);
    const buffers = {
      [BufferType.OFFSET]: parts.offsets,
      [BufferType.DATA]: parts.values,
      [BufferType.VALIDITY]: node.bitmap,
      [BufferType.TYPE]: parts.typeIds,
    };
    return new Data(
      type,
      0,
      node.length,
      node.nullCount,
      buffers,
      parts.children ?? [],
      parts.dictionary,
      parts.variadic ?? [],
    );
  }

  private parts(type: DataType, layout: Layout, { length, bitmap }: Node): Parts {
    const valid = bitmap.length > 0 ? bitmap : undefined;
    switch (layout.kind) {
      case 'null':
        return {};
      case 'bits':
        return { values: this.bytes(bitmapBytes(length)) };
      case 'fixed':
        return { values: typed(this.bytes(length * layout.byteWidth), type.ArrayType as ArrayConstructorOf) };
      case 'variable': {
        const raw = this.offsets(length, layout.offsetBytes);
        const values = this.nextBuffer();
        const offsets = checkedOffsets(raw, values.length);
        if (layout.text) checkText(values, offsets, valid);
        return { offsets: raw, values };
      }
      case 'view': {
        const values = this.bytes(16 * length);
        const variadic = Array.from({ length: this.nextVariadicCount() }, () => this.nextBuffer());
        checkViews(values, length, variadic, layout.text, valid);
        return { values, variadic };
      }
      case 'list': {
        const offsets = this.offsets(length, layout.offsetBytes);
        const child = this.child(type);
        checkedOffsets(offsets, child.length);
        return { offsets, children: [child] };
      }
      case 'fixed-list':
        return { children: [this.column(childType(type), length * layout.size)] };
      case 'struct':
        return { children: type.children.map((field) => this.column(field.type, length)) };
      case 'sparse-union':
      case 'dense-union': {
        const typeIds = typed(this.bytes(length), Int8Array) as Int8Array;
        const isDense = layout.kind === 'dense-union';
        const offsets = isDense ? (typed(this.bytes(4 * length), Int32Array) as Int32Array) : undefined;
        const children = type.children.map((field) =>
          isDense ? this.array(field.type) : this.column(field.type, length),
        );
        checkUnion(
          typeIds,
          offsets,
          (type as Union).typeIds,
          children.map((child) => child.length),
        );
        return offsets ? { typeIds, offsets, children } : { typeIds, children };
      }
      case 'dictionary': {
        const { id, indices } = type as Dictionary;
        const values = typed(this.bytes(length * layout.byteWidth), indices.ArrayType as ArrayConstructorOf);
        const dictionary = this.dictionaries.get(id);
        if (!dictionary) throw malformed(`a batch came before its dictionary ${id}`);
        checkIndices(values as Indices, dictionary.length, valid);
        return { values, dictionary };
      }
    }
  }

  private nextNode({ kind }: Layout): Node {
    const at = 2 * this.node++;
    const [length, nullCount] = [this.header.nodes[at], this.header.nodes[at + 1]];
    if (length === undefined || nullCount === undefined) throw malformed('a batch has fewer nodes than its schema');
    this.checkLength(length);
    if (nullCount < 0 || nullCount > length) throw malformed(`a column of ${length} values has ${nullCount} nulls`);
    if (kind === 'null') return { length, nullCount: length, bitmap: noBits };
    if (kind === 'sparse-union' || kind === 'dense-union') return { length, nullCount: 0, bitmap: noBits };
    const given = this.nextBuffer();
    if (given.length === 0 && nullCount === 0) return { length, nullCount, bitmap: noBits };
    const bitmap = this.part(given, bitmapBytes(length));
    const found = length - countOnes(bitmap, 0, length);
    if (found !== nullCount) throw malformed(`a column states ${nullCount} nulls, but its bitmap has ${found}`);
    return { length, nullCount, bitmap: nullCount === 0 ? noBits : bitmap };
  }

  private checkLength(length: number): void {
    if (length < 0 || length > this.maxRows)
      throw malformed(`a batch states ${length} rows, but has data for at most ${this.maxRows}`);
  }

  private child(type: DataType): Data {
    return this.array(childType(type));
  }

  /** The `length` + 1 offsets. An empty array may omit its single 0. */
  private offsets(length: number, offsetBytes: 4 | 8): Int32Array | BigInt64Array {
    const given = this.nextBuffer();
    const Offsets = offsetBytes === 4 ? Int32Array : BigInt64Array;
    if (length === 0 && given.length === 0) return new Offsets(1);
    return typed(this.part(given, (length + 1) * offsetBytes), Offsets) as Int32Array | BigInt64Array;
  }

  private bytes(size: number): Uint8Array {
    return this.part(this.nextBuffer(), size);
  }

  private part(buffer: Uint8Array, size: number): Uint8Array {
    if (buffer.length < size) throw malformed(`a buffer has ${buffer.length} bytes, expected ${size}`);
    return buffer.subarray(0, size);
  }

  private nextBuffer(): Uint8Array {
    const buffer = this.buffers[this.buffer++];
    if (!buffer) throw malformed('a batch has fewer buffers than its schema');
    return buffer;
  }

  private nextVariadicCount(): number {
    const count = this.header.variadicCounts[this.variadic++];
    if (count === undefined || count < 0 || count > this.buffers.length - this.buffer) {
      throw malformed(`a column has ${count} further buffers`);
    }
    return count;
  }
}

function childType(type: DataType): DataType {
  return (type.children[0] as { type: DataType }).type;
}

function checkedOffsets(offsets: Int32Array | BigInt64Array, limit: number): Int32Array | Float64Array {
  if (offsets instanceof BigInt64Array) return checkOffsets64(offsets, limit);
  checkOffsets32(offsets, limit);
  return offsets;
}

type ArrayConstructorOf = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): ArrayBufferView;
};

/** Bytes as numbers: a view if aligned, otherwise a copy. */
function typed(bytes: Uint8Array, Numbers: ArrayConstructorOf): ArrayBufferView {
  const width = Numbers.BYTES_PER_ELEMENT;
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new Numbers(buffer, byteOffset, bytes.length / width);
}
