/**
 * Compares the rows that one stream receives with the expected ones: a fast stream of wrong values is invalid. Each
 * batch: number of rows, presence of values, lengths of texts, and all values of one column, with columns in rotation.
 * Some rows: all values.
 */
import { extentOf, presence, valueReader } from '@topo-bench/columns';
import type { Data, RecordBatch } from 'apache-arrow';
import { type ExpectedBatch, type ExpectedColumn, type ExpectedTable, isPresent, valuesOf } from './expected-table.ts';
import type { StreamTally } from './stream-tally.ts';

/** One row per this many bytes is compared as a whole, which costs about a thousandth of the transfer. */
const bytesPerSample = 512 * 1024;
const rowsPerSample = 4;
/** One of this many JSON rows is compared as a whole. */
const jsonRowsPerSample = 97;

export class TableCheck {
  readonly #expected: Iterator<ExpectedBatch, void>;
  readonly #tally: StreamTally;
  #bytesUntilSample = 0;
  /** Position in JSON, whose rows come without batches. */
  #current: ExpectedBatch | undefined;
  #row = 0;
  #jsonRows = 0;

  constructor(table: ExpectedTable, stream: number, streams: number, tally: StreamTally) {
    this.#expected = table.batches(stream, streams);
    this.#tally = tally;
  }

  batch(batch: RecordBatch): void {
    const expected = this.#next();
    const tally = this.#tally;
    if (!expected) {
      tally.recordWrong(`a batch of ${batch.numRows} rows after the last one`, batch.numRows);
      return;
    }
    if (batch.numRows !== expected.rows) {
      const missing = Math.abs(batch.numRows - expected.rows);
      tally.recordWrong(`batch ${expected.number} has ${batch.numRows} rows, expected ${expected.rows}`, missing);
      return;
    }
    const { children } = batch.data;
    if (children.length !== expected.columns.length) {
      tally.recordWrong(`batch ${expected.number} has ${children.length} columns, expected ${expected.columns.length}`);
      return;
    }
    this.#bytesUntilSample -= batch.data.byteLength;
    const isSampled = this.#bytesUntilSample <= 0;
    if (isSampled) this.#bytesUntilSample = bytesPerSample;
    expected.columns.forEach((column, i) => {
      const isCompared = expected.number % expected.columns.length === i;
      this.#column(children[i] as Data, column, expected, { isCompared, isSampled });
    });
  }

  /** Checks rows of JSON, in order. */
  rows(objects: readonly unknown[]): void {
    for (const object of objects) this.#object(object);
  }

  /** Ends the check: no more rows follow. */
  end(): void {
    let missing = this.#current ? this.#current.rows - this.#row : 0;
    for (let batch = this.#next(); batch; batch = this.#next()) missing += batch.rows;
    if (missing > 0) this.#tally.recordWrong(`the last ${missing} rows are missing`, missing);
  }

  #next(): ExpectedBatch | undefined {
    return this.#expected.next().value ?? undefined;
  }

  #column(
    data: Data,
    column: ExpectedColumn,
    { number, rows }: ExpectedBatch,
    { isCompared, isSampled }: { isCompared: boolean; isSampled: boolean },
  ): void {
    const tally = this.#tally;
    const wrongRows = rowsWithOtherPresence(presence(data), column.present, rows);
    if (wrongRows.count > 0) {
      this.#wrongRow(data, column, number, wrongRows.first, wrongRows.count);
      return;
    }
    if (column.hasExtent && extentOf(data) !== column.extent) {
      this.#recordDifference(
        data,
        column,
        number,
        rows,
        `has ${extentOf(data)} bytes or elements, expected ${column.extent}`,
      );
      return;
    }
    if (isCompared && column.bytes) {
      tally.checked += rows;
      const bytes = valuesOf(data);
      if (!bytes || Buffer.compare(bytes, column.bytes) !== 0) {
        this.#recordDifference(data, column, number, rows, 'has other bytes than expected');
        return;
      }
    }
    if (!isSampled) return;
    const read = valueReader(data);
    for (let sample = 0; sample < Math.min(rowsPerSample, rows); sample++) {
      const row = (number * 7919 + sample * 104_729) % rows;
      tally.checked++;
      if (!same(read(row), column.valueAt(row))) this.#wrongRow(data, column, number, row, 1);
    }
  }

  /** Names the first row that differs. Without one, the difference lies in bytes behind a null. */
  #recordDifference(data: Data, column: ExpectedColumn, number: number, rows: number, finding: string): void {
    const read = valueReader(data);
    for (let row = 0; row < rows; row++) {
      if (!same(read(row), column.valueAt(row))) {
        this.#wrongRow(data, column, number, row, 1);
        return;
      }
    }
    this.#tally.recordWrong(`column ${column.name} of batch ${number} ${finding}`);
  }

  #wrongRow(data: Data, column: ExpectedColumn, number: number, row: number, count: number): void {
    const [value, right] = [valueReader(data)(row), column.valueAt(row)];
    const place = `column ${column.name} of row ${row} of batch ${number}`;
    this.#tally.recordWrong(`${place} is ${shown(value)}, expected ${shown(right)}`, count);
  }

  #object(object: unknown): void {
    const tally = this.#tally;
    if (!this.#current || this.#row === this.#current.rows) {
      this.#current = this.#next();
      this.#row = 0;
    }
    if (!this.#current) {
      tally.recordWrong('a row after the last one');
      return;
    }
    const { columns, number } = this.#current;
    const row = this.#row++;
    const given = (typeof object === 'object' && object !== null ? object : {}) as Record<string, unknown>;
    const isSampled = this.#jsonRows++ % jsonRowsPerSample === 0;
    let members = 0;
    for (const { name, present, valueAt } of columns) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      const isThere = value !== undefined;
      if (isThere) members++;
      const isRight = isThere === isPresent(present, row) && (!isSampled || same(value, valueAt(row)));
      if (isSampled) tally.checked++;
      if (isRight) continue;
      tally.recordWrong(
        `column ${name} of row ${row} of batch ${number} is ${shown(value)}, expected ${shown(valueAt(row))}`,
      );
    }
    const others = Object.keys(given).length - members;
    if (others > 0)
      tally.recordWrong(`row ${row} of batch ${number} has ${others} members that are not columns`, others);
  }
}

/** Compares presence bitmaps; undefined means a value in every row. */
function rowsWithOtherPresence(
  given: Uint8Array | undefined,
  right: Uint8Array | undefined,
  rows: number,
): { count: number; first: number } {
  const found = { count: 0, first: -1 };
  if (given === right) return found;
  const whole = rows >>> 3;
  const isSame = given && right && Buffer.compare(given.subarray(0, whole), right.subarray(0, whole)) === 0;
  for (let row = isSame ? 8 * whole : 0; row < rows; row++) {
    if (isPresent(given, row) === isPresent(right, row)) continue;
    if (found.count === 0) found.first = row;
    found.count++;
  }
  return found;
}

function same(value: unknown, other: unknown): boolean {
  return Object.is(value, other) || JSON.stringify(value) === JSON.stringify(other);
}

function shown(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value).slice(0, 40);
}
