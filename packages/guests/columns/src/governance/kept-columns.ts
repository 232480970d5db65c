/**
 * Reports which data the rules let a service keep of an upload; the sender compares the report with the expected
 * result. It covers rows, values by column, and a keyed digest of the rest, without a pass over the values.
 */
import { createHmac, type Hmac } from 'node:crypto';
import { bitmapBytes, bitsFrom } from '@topo-bench/arrow-flight/ipc';
import { type Data, DataType } from 'apache-arrow';
import { type JsonValue, valueReader } from '../table/json-values.ts';

/** The parts of a column that the report reads. */
export interface ReportedColumn {
  nullCount: number;
  /** Validity bitmap; undefined without nulls. Bits after the last row are arbitrary. */
  present: Uint8Array | undefined;
  /** Bytes of texts, elements of lists, 0 for fixed-width values; meaningless with nulls. */
  extent: number;
  valueAt(row: number): JsonValue | undefined;
}

export interface KeptReport {
  /** Number of received rows. */
  taken: number;
  /** Number of rows that passed the rules. */
  passed: number;
  /** Number of remaining values by column. */
  values: Record<string, number>;
  /** HMAC-SHA-256 over validity bitmaps, column lengths, and the values of at most one row in 1024. */
  digest: string;
}

const rowsPerSample = 1024;

export class KeptColumns {
  private readonly names: readonly string[];
  private readonly hmac: Hmac;
  private readonly values: number[];
  private readonly shape: Int32Array;
  private passed = 0;
  private rowsUntilSample = 0;

  /**
   * @param names of the columns in order
   * @param key of the run: `RoleSecrets.digestKey`
   */
  constructor(names: readonly string[], key: string) {
    this.names = names;
    this.hmac = createHmac('sha256', key);
    this.values = names.map(() => 0);
    this.shape = new Int32Array(1 + 2 * names.length);
  }

  add(rows: number, columns: readonly ReportedColumn[]): void {
    this.passed += rows;
    this.shape[0] = rows;
    columns.forEach(({ nullCount, extent }, i) => {
      this.values[i] = (this.values[i] as number) + rows - nullCount;
      this.shape[2 * i + 1] = nullCount;
      this.shape[2 * i + 2] = nullCount === 0 ? extent : 0;
    });
    this.hmac.update(this.shape);
    for (const { nullCount, present } of columns) {
      // If all or no rows have a value, the count suffices.
      if (present && nullCount > 0 && nullCount < rows) this.addBits(present, rows);
    }
    if (this.rowsUntilSample <= 0) {
      // A different row in each batch.
      const row = this.passed % rows;
      this.hmac.update(JSON.stringify(columns.map(({ valueAt }) => valueAt(row) ?? null)));
      this.rowsUntilSample = rowsPerSample;
    }
    this.rowsUntilSample -= rows;
  }

  /**
   * Finishes the report; `add` must not be called afterwards.
   * @param taken number of received rows
   */
  report(taken: number): KeptReport {
    const values = Object.fromEntries(this.names.map((name, i) => [name, this.values[i] as number]));
    return { taken, passed: this.passed, values, digest: this.hmac.digest('base64url') };
  }

  private addBits(present: Uint8Array, rows: number): void {
    this.hmac.update(present.subarray(0, rows >>> 3));
    if ((rows & 7) > 0) this.hmac.update(Uint8Array.of((present[rows >>> 3] as number) & ((1 << (rows & 7)) - 1)));
  }
}

/** An unmodified column. */
export function reportedColumn(data: Data): ReportedColumn {
  let read: ((row: number) => JsonValue | undefined) | undefined;
  return {
    nullCount: data.nullCount,
    present: presence(data),
    extent: extentOf(data),
    valueAt: (row) => {
      read ??= valueReader(data);
      return read(row);
    },
  };
}

/** Validity bitmap; undefined without nulls. */
export function presence({ nullCount, nullBitmap, offset, length }: Data): Uint8Array | undefined {
  if (nullCount === 0) return undefined;
  return nullBitmap && nullBitmap.length > 0
    ? bitsFrom(nullBitmap, offset, length)
    : new Uint8Array(bitmapBytes(length));
}

/** Bytes of texts, elements of lists, 0 for fixed-width values. */
export function extentOf({ type, valueOffsets, length }: Data): number {
  if (!DataType.isUtf8(type) && !DataType.isList(type)) return 0;
  return (valueOffsets[length] as number) - (valueOffsets[0] as number);
}
