/** Reads the bound parameters of a prepared statement: a batch with one row, converted to PostgreSQL's input text. */
import { type FlightChunk, FlightError } from '@topo-bench/arrow-flight';
import { type Data, DataType, type RecordBatch, type Schema, type Timestamp } from 'apache-arrow';
import type { SqlRow } from './sql-source.ts';

/** @throws FlightError unless there is exactly one row, and for values without a text form */
export async function readParameters(schema: Schema, chunks: AsyncIterable<FlightChunk>): Promise<SqlRow> {
  const rows: SqlRow[] = [];
  for await (const { batch } of chunks) {
    for (let row = 0; batch && row < batch.numRows; row++) {
      if (rows.length === 1) throw new FlightError('unimplemented', 'parameters: got more than one row, expected 1');
      rows.push(schema.fields.map((_, column) => parameterText(batch, column, row)));
    }
  }
  if (!rows[0]) throw new FlightError('invalid-argument', 'parameters: got no row, expected 1');
  return rows[0];
}

function parameterText(batch: RecordBatch, column: number, row: number): string | null {
  const value: unknown = batch.getChildAt(column)?.get(row);
  const type = batch.schema.fields[column]?.type as DataType;
  if (value === null || value === undefined) return null;
  if (isText(type) || DataType.isBool(type) || DataType.isInt(type) || DataType.isFloat(type)) return String(value);
  if (DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  if (DataType.isTimestamp(type)) return timestampText(type, storedValue(batch, column, row));
  if (DataType.isTime(type)) return timeText((storedValue(batch, column, row) * usPerSecond) / ticksPerSecond(type));
  if (DataType.isDecimal(type)) return decimalText(value as Uint32Array, type.scale);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  throw new FlightError('unimplemented', `unsupported parameter type: ${type}`, {
    hint: 'send it as text and cast it in the query',
  });
}

function isText(type: DataType): boolean {
  const { dictionary } = DataType.isDictionary(type) ? type : { dictionary: type };
  return DataType.isUtf8(dictionary) || DataType.isLargeUtf8(dictionary) || DataType.isUtf8View(dictionary);
}

/** The stored value: a JavaScript date would lose the digits below a millisecond. */
function storedValue(batch: RecordBatch, column: number, row: number): bigint {
  const { values, offset } = batch.data.children[column] as Data;
  return BigInt((values as Int32Array | BigInt64Array)[offset + row] as number | bigint);
}

const usPerSecond = 1_000_000n;
const ticks = [1n, 1000n, 1_000_000n, 1_000_000_000n] as const;

function ticksPerSecond({ unit }: { unit: number }): bigint {
  return ticks[unit] as bigint;
}

function timestampText(type: Timestamp, stored: bigint): string {
  const us = (stored * usPerSecond) / ticksPerSecond(type);
  const days = floorDivide(us, 86_400n * usPerSecond);
  const date = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
  return `${date} ${timeText(us - days * 86_400n * usPerSecond)}${type.timezone ? 'Z' : ''}`;
}

/** @param us since midnight */
function timeText(us: bigint): string {
  const two = (value: bigint): string => String(value).padStart(2, '0');
  const seconds = us / usPerSecond;
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':');
  return `${clock}.${String(us % usPerSecond).padStart(6, '0')}`;
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
