/**
 * Builds columns from chosen rows. The result contains only their values, so withheld data cannot leak through a
 * buffer, a dictionary or the bytes of a null. The row −1 gives a null.
 */
import { type Layout, layoutOf } from '@topo-bench/arrow-flight/ipc';
import { BufferType, Data, type DataType, type Dictionary, type Union, type Vector } from 'apache-arrow';
import { type Allocate, allocUninitialised } from './buffers.ts';
import {
  gatherBits,
  gatherFixed,
  gatherListRows,
  gatherValidity,
  gatherVariable,
  gatherViews,
  type Validity,
} from './gather-values.ts';
import { UsedDictionaries } from './used-dictionaries.ts';

/** Buffers and children of a column. */
interface Parts {
  offsets?: Int32Array | BigInt64Array;
  values?: ArrayBufferView;
  typeIds?: Int8Array;
  children?: Data[];
  dictionary?: Vector;
  variadic?: Uint8Array[];
}

/** Gathers the columns of one stream. */
export class Gatherer {
  /** Shared by columns without nulls: they lose the same rows. */
  private last: { rows: Int32Array; validity: Validity } | undefined;
  private readonly dictionaries = new UsedDictionaries((type, data, rows) => this.gather(type, data, rows));

  /**
   * @param type of the result: that of `data`, with its own dictionary ids (`ownDictionaries`)
   * @param allocate memory of the values; never that of a dictionary, which later batches share
   */
  gather(type: DataType, data: Data, rows: Int32Array, allocate: Allocate = allocUninitialised): Data {
    const layout = layoutOf(type);
    const { nullBitmap, nullCount } = this.validity(layout, data, rows);
    const parts = this.parts(layout, type, data, rows, nullCount > 0, allocate);
    const buffers = {
      [BufferType.OFFSET]: parts.offsets,
      [BufferType.DATA]: parts.values,
      [BufferType.VALIDITY]: nullBitmap,
      [BufferType.TYPE]: parts.typeIds,
    };
    return new Data(
      type,
      0,
      rows.length,
      nullCount,
      buffers,
      parts.children ?? [],
      parts.dictionary,
      parts.variadic ?? [],
    );
  }

  private validity(layout: Layout, data: Data, rows: Int32Array): Validity {
    const none = new Uint8Array(0);
    if (layout.kind === 'null') return { nullBitmap: none, nullCount: rows.length };
    if (layout.kind === 'sparse-union' || layout.kind === 'dense-union') return { nullBitmap: none, nullCount: 0 };
    if (data.nullCount > 0) return gatherValidity(data, rows);
    if (this.last?.rows !== rows) this.last = { rows, validity: gatherValidity(data, rows) };
    return this.last.validity;
  }

  private parts(
    layout: Layout,
    type: DataType,
    data: Data,
    rows: Int32Array,
    hasNulls: boolean,
    allocate: Allocate,
  ): Parts {
    switch (layout.kind) {
      case 'null':
        return {};
      case 'bits':
        return { values: gatherBits(data, rows) };
      case 'fixed':
        return { values: gatherFixed(data, rows, layout.byteWidth, hasNulls, allocate) };
      case 'variable':
        return gatherVariable(data, rows, allocate);
      case 'view':
        return gatherViews(data, rows);
      case 'list': {
        const { offsets, inner } = gatherListRows(data, rows, allocate);
        return { offsets, children: [this.child(type, data, 0, inner, allocate)] };
      }
      case 'fixed-list': {
        const inner = new Int32Array(rows.length * layout.size);
        for (let i = 0; i < inner.length; i++) {
          const row = rows[Math.floor(i / layout.size)] as number;
          inner[i] = row < 0 ? -1 : row * layout.size + (i % layout.size);
        }
        return { children: [this.child(type, data, 0, inner, allocate)] };
      }
      case 'struct':
        return { children: type.children.map((_, i) => this.child(type, data, i, rows, allocate)) };
      case 'sparse-union': {
        const typeIds = unionTypes(type as Union, data, rows);
        return { typeIds, children: type.children.map((_, i) => this.child(type, data, i, rows, allocate)) };
      }
      case 'dense-union':
        return this.denseUnion(type as Union, data, rows, allocate);
      case 'dictionary':
        return this.dictionaries.gather(type as Dictionary, data, rows);
    }
  }

  private child(type: DataType, data: Data, index: number, rows: Int32Array, allocate: Allocate): Data {
    const own = (type.children[index] as { type: DataType }).type;
    return this.gather(own, data.children[index] as Data, rows, allocate);
  }

  private denseUnion(type: Union, data: Data, rows: Int32Array, allocate: Allocate): Parts {
    const typeIds = unionTypes(type, data, rows);
    const offsets = new Int32Array(rows.length);
    const inner: number[][] = type.children.map(() => []);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const list = inner[type.typeIdToChildIndex[typeIds[i] as number] as number] as number[];
      offsets[i] = list.length;
      list.push(row < 0 ? -1 : Number(data.valueOffsets[row]));
    }
    const children = inner.map((list, i) => this.child(type, data, i, Int32Array.from(list), allocate));
    return { typeIds, offsets, children };
  }
}

/** Whether rows share memory, so that some rows cannot be sent without the others. */
export function sharesMemory(type: DataType): boolean {
  const { kind } = layoutOf(type);
  return (
    kind === 'dictionary' ||
    kind === 'view' ||
    kind === 'dense-union' ||
    (type.children ?? []).some((field) => sharesMemory(field.type))
  );
}

/** A null of a union is a null of its first child. */
function unionTypes(type: Union, data: Data, rows: Int32Array): Int8Array {
  const first = type.typeIds[0] ?? 0;
  return Int8Array.from(rows, (row) => (row < 0 ? first : (data.typeIds[row] as number)));
}
