/** Compares a sample of what arrives with the table that was asked for: a fast stream of wrong values is no stream at all. */
import { objectOf, type ReadValue, valueReader } from '@topo-bench/flight/http/json-values';
import type { SeededTable } from '@topo-bench/flight/http/seeded-table';
import type { Data, RecordBatch } from 'apache-arrow';
import type { StreamTally } from './stream-tally.ts';

/** One row is compared per so many bytes, so that the comparison costs a thousandth of the transfer. */
const bytesPerCheck = 512 * 1024;

type Columns = readonly (readonly [string, ReadValue])[];

export class TableCheck {
  private readonly table: SeededTable;
  private readonly governed: boolean;
  private bytesUntilCheck = 0;

  /** @param governed values and rows may be missing */
  constructor(table: SeededTable, governed: boolean) {
    this.table = table;
    this.governed = governed;
  }

  /** @param number of the batch in the table */
  batch(batch: RecordBatch, number: number, tally: StreamTally): void {
    const expected = this.table.batchAt(number);
    if (batch.numRows !== expected.numRows) {
      // Rows that rules refused: which ones are left is not known here.
      if (!this.governed) tally.isWrong(`batch ${number} has ${batch.numRows} rows, expected ${expected.numRows}`);
      return;
    }
    this.bytesUntilCheck -= batch.data.byteLength;
    if (this.bytesUntilCheck > 0 || batch.numRows === 0) return;
    this.bytesUntilCheck = bytesPerCheck;
    const row = (number * 7919) % batch.numRows;
    for (const [column, field] of expected.schema.fields.entries()) {
      const received = batch.data.children[column];
      const wanted = expected.data.children[column] as Data;
      // A column that rules pseudonymise is text throughout.
      if (this.governed && received && String(received.type) !== String(wanted.type)) continue;
      const [value, right] = [received && valueReader(received)(row), valueReader(wanted)(row)];
      tally.checked++;
      if (same(value, right) || (this.governed && value === undefined)) continue;
      tally.isWrong(`column ${field.name} of row ${row} of batch ${number} is ${shown(value)}, expected ${shown(right)}`);
    }
  }

  /**
   * The same for a row in JSON.
   * @param number of the row in the table
   * @param batchRows of the table
   */
  row(object: unknown, number: number, batchRows: number, tally: StreamTally): void {
    const expected = this.table.batchAt(Math.floor(number / batchRows));
    const columns: Columns = expected.schema.fields.map(({ name }, i) => [name, valueReader(expected.data.children[i] as Data)]);
    const right = objectOf(columns, number % batchRows);
    const given = (typeof object === 'object' && object !== null ? object : {}) as Record<string, unknown>;
    for (const { name } of expected.schema.fields) {
      tally.checked++;
      if (same(given[name], right[name]) || (this.governed && given[name] === undefined)) continue;
      tally.isWrong(`column ${name} of row ${number} is ${shown(given[name])}, expected ${shown(right[name])}`);
    }
  }
}

function same(value: unknown, other: unknown): boolean {
  return Object.is(value, other) || JSON.stringify(value) === JSON.stringify(other);
}

function shown(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value).slice(0, 40);
}
