/**
 * Rows of heat maps as the REST interface writes them in JSON: keys, columns and values in Base64. The row of a cell
 * has a column for each writer. Its version is the event time, followed by the sum. Both only grow, so an older sum
 * that arrives late stays hidden, and a scan by versions finds the cells of a range of event time.
 */
import type { HeatMapEntry } from '../heat-map/heat-map.ts';
import { sums } from './tables.ts';

export interface RestRow {
  key: string;
  Cell: { column: string; $: string }[];
}

/** Bits of the sum in a version. Larger sums of equal times replace one another in the order of their arrival. */
const sumBits = 20n;
const maxSumInVersion = 2 ** 20 - 1;
const maxVersion = 2n ** 63n - 1n;
/** Hexadecimal digits of 53 bits: keys are in the order of cells. */
const keyLength = 14;

export function keyOf(cell: number): string {
  return cell.toString(16).padStart(keyLength, '0');
}

export const encode = (text: string): string => Buffer.from(text).toString('base64');
export const decode = (text: string): string => Buffer.from(text, 'base64').toString();

/** The first version of an event time. */
export function versionAt(timeMs: number): bigint {
  const version = BigInt(timeMs) << sumBits;
  return version < maxVersion ? version : maxVersion;
}

function versionOf({ crossings, timeMs }: HeatMapEntry): bigint {
  return versionAt(timeMs) + BigInt(Math.min(crossings, maxSumInVersion));
}

/** JSON by hand: versions have 63 bits. */
export function rowsToWrite(writer: string, entries: readonly HeatMapEntry[]): string {
  const column = encode(`${sums}:${writer}`);
  const rows = entries.map((entry) => {
    const value = encode(`${entry.crossings} ${entry.timeMs}`);
    const cell = `{"column":"${column}","timestamp":${versionOf(entry)},"$":"${value}"}`;
    return `{"key":"${encode(keyOf(entry.cell))}","Cell":[${cell}]}`;
  });
  return `{"Row":[${rows.join(',')}]}`;
}

/** @param text JSON of an answer; empty without rows */
export function rowsIn(text: string): RestRow[] {
  return text === '' ? [] : (JSON.parse(text) as { Row: RestRow[] }).Row;
}

/** The sums of all writers, one after the other. */
export function sumsIn(rows: readonly RestRow[]): HeatMapEntry[] {
  return rows.flatMap(({ key, Cell }) =>
    Cell.map(({ $ }) => {
      const [crossings, timeMs] = decode($).split(' ');
      return { cell: cellOf(key), crossings: Number(crossings), timeMs: Number(timeMs) };
    }),
  );
}

export function cellsIn(rows: readonly RestRow[]): number[] {
  return rows.map(({ key }) => cellOf(key));
}

function cellOf(key: string): number {
  return Number.parseInt(decode(key), 16);
}

const bytesOfVersion = 8;

/** Each sum with its key and its column, as HBase keeps them. */
export function bytesIn(rows: readonly RestRow[]): number {
  const lengthOf = (text: string): number => Buffer.byteLength(text, 'base64');
  return rows.reduce(
    (total, { key, Cell }) =>
      Cell.reduce(
        (bytes, { column, $ }) => bytes + lengthOf(key) + lengthOf(column) + bytesOfVersion + lengthOf($),
        total,
      ),
    0,
  );
}
