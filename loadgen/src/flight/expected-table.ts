/**
 * The expected table: the seeded table after the oracle's decisions about its rows. It is computed before a transfer
 * begins, once per distinct batch, so that comparing is cheap.
 */
import { createHmac } from 'node:crypto';
import {
  differentBatches,
  extentOf,
  presence,
  type ReportedColumn,
  type SeededTable,
  valueReader,
} from '@topo-bench/columns';
import { type Data, DataType, type RecordBatch } from 'apache-arrow';
import type { RightTreatment, RowTreatment } from './transfer.ts';

export interface ExpectedColumn extends ReportedColumn {
  name: string;
  /**
   * Whether the lengths of all values are known. They are not for a table with nulls of its own: the bytes behind a
   * null are arbitrary.
   */
  hasExtent: boolean;
  /** All values in memory layout, with zeros for removed ones; undefined where only single rows are compared. */
  bytes: Uint8Array | undefined;
}

export interface ExpectedBatch {
  /** Index of the batch in the table. */
  number: number;
  rows: number;
  columns: readonly ExpectedColumn[];
}

export class ExpectedTable {
  readonly #table: SeededTable;
  readonly #treatment: RightTreatment | undefined;
  readonly #known = new Map<string, readonly [rows: number, columns: readonly ExpectedColumn[]]>();

  /** @param treatment undefined without enforcement */
  constructor(table: SeededTable, treatment: RightTreatment | undefined) {
    this.#table = table;
    this.#treatment = treatment;
  }

  get columnNames(): string[] {
    return this.#table.schema.fields.map(({ name }) => name);
  }

  /** The batches of one stream with at least one remaining row, in order. */
  *batches(stream: number, streams: number): Generator<ExpectedBatch, void, void> {
    const [from, to] = this.#table.batchesOf(stream, streams);
    for (let number = from; number < to; number++) {
      const batch = this.#batchAt(number);
      if (batch.rows > 0) yield batch;
    }
  }

  /** Computes all batches now instead of on first use. */
  prepare(): void {
    const [, to] = this.#table.batchesOf(0, 1);
    for (let number = 0; number < Math.min(to, differentBatches); number++) this.#batchAt(number);
    if (to > 0) this.#batchAt(to - 1);
  }

  #batchAt(number: number): ExpectedBatch {
    const batch = this.#table.batchAt(number);
    // The last batch may be shorter.
    const contents = `${number % differentBatches}/${batch.numRows}`;
    const known = this.#known.get(contents) ?? this.#expect(batch, number);
    this.#known.set(contents, known);
    return { number, rows: known[0], columns: known[1] };
  }

  #expect(batch: RecordBatch, number: number): [number, ExpectedColumn[]] {
    const codes = this.#treatment?.codes[number % differentBatches]?.subarray(0, batch.numRows);
    const rows = codes && this.#treatment ? passingRows(codes, this.#treatment.treatments) : undefined;
    const columns = batch.schema.fields.map(({ name }, i) =>
      expectedColumn(name, batch.data.children[i] as Data, rows, codes, this.#treatment),
    );
    return [rows?.length ?? batch.numRows, columns];
  }
}

/** @returns undefined when all rows pass */
function passingRows(codes: Uint16Array, treatments: readonly RowTreatment[]): Int32Array | undefined {
  const passes = treatments.map((treatment) => treatment.passes);
  const rows = new Int32Array(codes.length);
  let count = 0;
  for (let row = 0; row < codes.length; row++) if (passes[codes[row] as number]) rows[count++] = row;
  return count < codes.length ? rows.subarray(0, count) : undefined;
}

function expectedColumn(
  name: string,
  data: Data,
  rows: Int32Array | undefined,
  codes: Uint16Array | undefined,
  treatment: RightTreatment | undefined,
): ExpectedColumn {
  const length = rows?.length ?? data.length;
  const source = (row: number): number => (rows ? (rows[row] as number) : row);
  const removes = treatment?.treatments.map(({ remove }) => remove.includes(name)) ?? [];
  const pseudonymises = treatment?.treatments.map(({ pseudonymise }) => pseudonymise.includes(name)) ?? [];
  const isText = pseudonymises.includes(true) || (treatment?.textColumns.includes(name) ?? false);
  const codeAt = (row: number): number => (codes ? (codes[source(row)] as number) : 0);
  const isRemoved = (row: number): boolean => removes[codeAt(row)] ?? false;
  const read = valueReader(data);
  const valueAt = (row: number) => {
    const value = isRemoved(row) ? undefined : read(source(row));
    if (value === undefined || !isText) return value;
    if (pseudonymises[codeAt(row)]) return pseudonymOf(value, treatment?.pseudonymKey as string);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const isUntouched = !rows && !isText && !removes.includes(true);
  if (isUntouched) {
    const { nullCount } = data;
    const isFull = nullCount === 0;
    const common = { name, nullCount, present: presence(data), extent: extentOf(data), valueAt };
    return { ...common, hasExtent: isFull, bytes: isFull ? valuesOf(data) : undefined };
  }
  const { present, nullCount } = presenceOf(length, (row) => !isRemoved(row) && data.getValid(source(row)));
  const lengthAt = (row: number): number => {
    if (!isText) return valueLength(data, source(row));
    return pseudonymises[codeAt(row)] ? 64 : Buffer.byteLength(String(valueAt(row)));
  };
  const bytes = !isText && data.nullCount === 0 ? gatheredValues(data, length, source, isRemoved) : undefined;
  const hasExtent = isText || data.nullCount === 0;
  let extent = 0;
  if (hasExtent) for (let row = 0; row < length; row++) if (isPresent(present, row)) extent += lengthAt(row);
  return { name, nullCount, present, extent, hasExtent, bytes, valueAt };
}

/** HMAC-SHA-256 (RFC 2104) of the value's JSON, in hexadecimal. */
function pseudonymOf(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}

function presenceOf(
  length: number,
  has: (row: number) => boolean,
): { present: Uint8Array | undefined; nullCount: number } {
  const present = new Uint8Array(Math.ceil(length / 8));
  let count = 0;
  for (let row = 0; row < length; row++) {
    if (!has(row)) continue;
    present[row >>> 3] = (present[row >>> 3] as number) | (1 << (row & 7));
    count++;
  }
  return { present: count < length ? present : undefined, nullCount: length - count };
}

export function isPresent(present: Uint8Array | undefined, row: number): boolean {
  return present === undefined || ((present[row >>> 3] as number) & (1 << (row & 7))) !== 0;
}

function valueLength({ type, valueOffsets }: Data, row: number): number {
  if (!DataType.isUtf8(type) && !DataType.isList(type)) return 0;
  return (valueOffsets[row + 1] as number) - (valueOffsets[row] as number);
}

/** The memory of the values of a column of numbers or texts, without the parts outside the slice. */
export function valuesOf({ type, values, valueOffsets, length }: Data): Uint8Array | undefined {
  if (DataType.isUtf8(type))
    return (values as Uint8Array).subarray(valueOffsets[0] as number, valueOffsets[length] as number);
  const width = widthOf(type, values);
  return width === undefined ? undefined : new Uint8Array(values.buffer, values.byteOffset, width * length);
}

function widthOf(type: DataType, values: { BYTES_PER_ELEMENT: number }): number | undefined {
  return DataType.isInt(type) || DataType.isFloat(type) || DataType.isTimestamp(type)
    ? values.BYTES_PER_ELEMENT
    : undefined;
}

function gatheredValues(
  data: Data,
  length: number,
  source: (row: number) => number,
  isRemoved: (row: number) => boolean,
): Uint8Array | undefined {
  const from = valuesOf(data);
  if (!from) return undefined;
  const isUtf8 = DataType.isUtf8(data.type);
  const width = widthOf(data.type, data.values as { BYTES_PER_ELEMENT: number }) ?? 0;
  const base = isUtf8 ? (data.valueOffsets[0] as number) : 0;
  const parts: Uint8Array[] = [];
  const zeros = new Uint8Array(width);
  for (let row = 0; row < length; row++) {
    const at = source(row);
    const [start, end] = isUtf8
      ? [(data.valueOffsets[at] as number) - base, (data.valueOffsets[at + 1] as number) - base]
      : [at * width, (at + 1) * width];
    parts.push(isRemoved(row) ? zeros : from.subarray(start, end));
  }
  return Buffer.concat(parts);
}
