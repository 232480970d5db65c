/**
 * A checksum over the values of a table, independent of the order of rows, of batches, and of the path that they came
 * by. A row's values are hashed one after the other into 64 bits, and the hashes of all rows are added modulo 2^64. So
 * it changes with a lost or duplicated row and with values swapped between columns or rows.
 *
 * Canonical forms: integers and decimals sign-extended, decimals with their scale; floats as their 64 bits; dates in
 * days, timestamps and times in microseconds; text and bytes with their length; null unlike any value.
 *
 * Feed it outside of measured time: it costs about as much as a fast read.
 */
import type { RecordBatch, Schema } from 'apache-arrow';
import { batchOfRows } from '../rows/batch-of-rows.ts';
import type { Row } from '../source.ts';
import { mixColumn } from './mix-column.ts';
import { finish, RowHashes } from './row-hashes.ts';

/** Equal for two tables with the same values. */
export interface TableDigest {
  rows: number;
  /** 16 hexadecimal digits. */
  hash: string;
}

export class TableChecksum {
  private rows = 0;
  private sum = 0n;

  /** @param schema of rows; batches carry their own */
  constructor(private readonly schema?: Schema) {}

  addBatch(batch: RecordBatch): void {
    const hashes = new RowHashes(batch.numRows);
    for (const data of batch.data.children) mixColumn(data, hashes);
    this.sum = BigInt.asUintN(64, this.sum + finish(hashes));
    this.rows += batch.numRows;
  }

  /** @throws TopoBenchError `TB_SOURCE_VALUE` */
  addRows(rows: readonly Row[]): void {
    if (!this.schema) throw new TypeError('rows have no types: pass their schema to the constructor');
    this.addBatch(batchOfRows(this.schema, rows));
  }

  digest(): TableDigest {
    return { rows: this.rows, hash: this.sum.toString(16).padStart(16, '0') };
  }
}
