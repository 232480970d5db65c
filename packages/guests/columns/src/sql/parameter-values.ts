/** Reads the bound parameters of a prepared statement: a batch with one row, converted to PostgreSQL's input text. */
import { type FlightChunk, FlightError } from '@topo-bench/arrow-flight';
import { clockText, dateText, timestampText } from '@topo-bench/core';
import {
  type Data,
  DataType,
  type Date_,
  DateUnit,
  type RecordBatch,
  type Schema,
  type Time,
  type Timestamp,
} from 'apache-arrow';
import { decimalText } from '../table/json-values.ts';
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
  if (DataType.isDate(type)) return dateText(daysOf(type, storedValue(batch, column, row)));
  if (DataType.isTimestamp(type))
    return timestampText(microsOf(type, storedValue(batch, column, row)), type.timezone ? 'Z' : '');
  if (DataType.isTime(type)) return clockText(microsOf(type, storedValue(batch, column, row)));
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

function daysOf({ unit }: Date_, stored: bigint): number {
  return unit === DateUnit.DAY ? Number(stored) : Math.floor(Number(stored) / 86_400_000);
}

/** Microseconds; PostgreSQL has no smaller part of a second. */
function microsOf(type: Time | Timestamp, stored: bigint): bigint {
  const micros = stored * usPerSecond;
  const perSecond = ticksPerSecond(type);
  if (micros % perSecond === 0n) return micros / perSecond;
  throw new FlightError('invalid-argument', `parameters: got ${stored} ns, expected whole microseconds`, {
    hint: 'round the value, or send it as text',
  });
}
