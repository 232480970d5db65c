/** Parameters of a prepared statement as a client binds them: a batch with one row, its values written as PostgreSQL reads them. */
import type { SqlRow } from '@topo-bench/core/sql-source';
import { type Data, DataType, type RecordBatch, type Schema, type Timestamp } from 'apache-arrow';
import { FlightError } from '../grpc/status.ts';
import type { FlightChunk } from '../server/flight-service.ts';

/** @throws FlightError for more or less than one row, and for values without a text of their own */
export async function readParameters(schema: Schema, chunks: AsyncIterable<FlightChunk>): Promise<SqlRow> {
  const rows: SqlRow[] = [];
  for await (const { batch } of chunks) {
    for (let row = 0; batch && row < batch.numRows; row++) {
      if (rows.length === 1) throw new FlightError('unimplemented', 'parameters have more than one row; bind one at a time');
      rows.push(schema.fields.map((_, column) => parameterText(batch, column, row)));
    }
  }
  if (!rows[0]) throw new FlightError('invalid-argument', 'parameters have no row');
  return rows[0];
}

function parameterText(batch: RecordBatch, column: number, row: number): string | null {
  const value: unknown = batch.getChildAt(column)?.get(row);
  const type = batch.schema.fields[column]?.type as DataType;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  if (DataType.isTimestamp(type)) return timestampText(type, batch, column, row);
  if (DataType.isDecimal(type)) return decimalText(value as Uint32Array, type.scale);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'number') return String(value);
  throw new FlightError('unimplemented', `a parameter is of type ${type}`, { hint: 'send it as text and cast it in the query' });
}

const perSecond = [1n, 1000n, 1_000_000n, 1_000_000_000n] as const;

/** From the stored number: as a JavaScript time it would have lost what is below a millisecond. */
function timestampText(type: Timestamp, batch: RecordBatch, column: number, row: number): string {
  const { values, offset } = batch.data.children[column] as Data;
  const stored = (values as BigInt64Array)[offset + row] as bigint;
  const us = (stored * 1_000_000n) / (perSecond[type.unit] as bigint);
  const second = floorDivide(us, 1_000_000n);
  const fraction = String(us - second * 1_000_000n).padStart(6, '0');
  const text = new Date(Number(second) * 1000).toISOString().slice(0, 19);
  return `${text}.${fraction}${type.timezone ? 'Z' : ''}`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  return value >= 0n ? value / by : -((-value + by - 1n) / by);
}

function decimalText(words: Uint32Array, scale: number): string {
  const unsigned = words.reduceRight((value, word) => (value << 32n) | BigInt(word), 0n);
  const value = BigInt.asIntN(32 * words.length, unsigned);
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${value < 0n ? '-' : ''}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`;
}
