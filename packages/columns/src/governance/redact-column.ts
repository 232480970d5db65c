/** Governs one column: chosen rows, without removed values, and with pseudonyms. */
import { bitmapBytes, layoutOf } from '@topo-bench/arrow-flight/ipc';
import { BufferType, Data, type DataType, Utf8 } from 'apache-arrow';
import { valueReader } from '../table/json-values.ts';
import type { Allocate } from './buffers.ts';
import type { Edit } from './edits.ts';
import { eraseValues, isErasable } from './erase-values.ts';
import { type Gatherer, sharesMemory } from './gather.ts';
import type { GovernedField } from './governed-schema.ts';
import { isMasked, type RowMask } from './row-masks.ts';

/** Max number of cached pseudonyms per stream. */
const maxPseudonyms = 1 << 18;

export class ColumnRedactor {
  private readonly pseudonyms = new Map<string, string>();
  private readonly empty = new Map<GovernedField, Data>();
  private everyRow = new Int32Array(0);
  /** Most columns of a batch lose the same rows. */
  private last: { rows: Int32Array; removed: RowMask; left: Int32Array } | undefined;

  constructor(
    private readonly gatherer: Gatherer,
    private readonly pseudonymOf: (value: unknown) => string,
  ) {}

  /**
   * @param rows of `data` to keep; undefined keeps all of them in order
   * @param allocate memory of this batch alone
   */
  redact(
    governed: GovernedField,
    data: Data,
    rows: Int32Array | undefined,
    edit: Edit | undefined,
    allocate: Allocate,
  ): Data {
    const { type } = governed.field;
    if (governed.isText) return this.text(data, rows ?? this.allRows(data.length), edit);
    const isUntouched = !edit?.remove && (edit?.members.size ?? 0) === 0;
    if (isUntouched && !rows && !sharesMemory(type) && !hasText(governed)) return data;
    const isStruct = layoutOf(type).kind === 'struct';
    if (edit?.remove === 'all' && !isStruct && !sharesMemory(type)) {
      return this.nulls(governed, rows?.length ?? data.length, data);
    }
    // A member can be longer than its struct, but a row mask covers only the rows of the batch.
    if (edit?.remove && edit.remove !== 'all' && data.length <= 32 * edit.remove.length && isErasable(type)) {
      const left = eraseValues(type, data, edit.remove, allocate);
      return rows ? this.gatherer.gather(type, left, rows, allocate) : left;
    }
    const kept = this.without(rows ?? this.allRows(data.length), edit?.remove);
    if (isStruct) return this.struct(governed, data, kept, edit, allocate);
    return this.gatherer.gather(type, data, kept, allocate);
  }

  /** A column of nulls, shared by all batches of the same length and therefore in memory of its own. */
  private nulls(governed: GovernedField, length: number, like: Data): Data {
    const known = this.empty.get(governed);
    if (known?.length === length) return known;
    const nulls = this.gatherer.gather(governed.field.type, like, new Int32Array(length).fill(-1));
    this.empty.set(governed, nulls);
    return nulls;
  }

  private struct(
    { field, children }: GovernedField,
    data: Data,
    rows: Int32Array,
    edit: Edit | undefined,
    allocate: Allocate,
  ): Data {
    const parts = children.map((child, i) =>
      this.redact(child, data.children[i] as Data, rows, edit?.members.get(child.field.name), allocate),
    );
    const valid = new Uint8Array(bitmapBytes(rows.length));
    let count = 0;
    rows.forEach((row, i) => {
      if (row < 0 || !data.getValid(row)) return;
      valid[i >>> 3] = (valid[i >>> 3] as number) | (1 << (i & 7));
      count++;
    });
    return new Data(field.type, 0, rows.length, rows.length - count, { [BufferType.VALIDITY]: valid }, parts);
  }

  private text(data: Data, rows: Int32Array, edit: Edit | undefined): Data {
    const read = valueReader(data);
    const offsets = new Int32Array(rows.length + 1);
    const valid = new Uint8Array(bitmapBytes(rows.length));
    const texts: string[] = [];
    let count = 0;
    let bytes = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      const value = row < 0 || isMasked(edit?.remove, row) ? undefined : read(row);
      if (value !== undefined) {
        const json = typeof value === 'string' ? value : JSON.stringify(value);
        const text = isMasked(edit?.pseudonymise, row) ? this.pseudonym(value) : json;
        valid[i >>> 3] = (valid[i >>> 3] as number) | (1 << (i & 7));
        texts.push(text);
        count++;
        bytes += Buffer.byteLength(text);
      }
      offsets[i + 1] = bytes;
    }
    const buffers = {
      [BufferType.OFFSET]: offsets,
      [BufferType.DATA]: bytesOf(texts, bytes),
      [BufferType.VALIDITY]: valid,
    };
    return new Data(new Utf8() as DataType, 0, rows.length, rows.length - count, buffers);
  }

  private pseudonym(value: unknown): string {
    const key = JSON.stringify(value);
    const known = this.pseudonyms.get(key);
    if (known !== undefined) return known;
    if (this.pseudonyms.size >= maxPseudonyms) this.pseudonyms.clear();
    const pseudonym = this.pseudonymOf(value);
    this.pseudonyms.set(key, pseudonym);
    return pseudonym;
  }

  private allRows(length: number): Int32Array {
    if (this.everyRow.length !== length) {
      this.everyRow = new Int32Array(length);
      for (let row = 0; row < length; row++) this.everyRow[row] = row;
    }
    return this.everyRow;
  }

  /** Replaces rows with a removed value by −1. */
  private without(rows: Int32Array, removed: RowMask | undefined): Int32Array {
    if (removed === undefined) return rows;
    if (this.last?.rows === rows && this.last.removed === removed) return this.last.left;
    const left = new Int32Array(rows.length);
    if (removed === 'all') return left.fill(-1);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      left[i] = row | -Number(isMasked(removed, row));
    }
    this.last = { rows, removed, left };
    return left;
  }
}

/** One buffer filled from texts: `Buffer.concat` is slow for many small parts. */
function bytesOf(texts: readonly string[], size: number): Uint8Array {
  const bytes = Buffer.alloc(size);
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

function hasText({ isText, children }: GovernedField): boolean {
  return isText || children.some(hasText);
}
