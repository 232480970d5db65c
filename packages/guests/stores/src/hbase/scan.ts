/**
 * Scans of a heat map in HBase, by a scanner that the REST server keeps until its end. A batch of cells is a scan too:
 * the server jumps from one to the next. Its `multiget` reads one row after the other.
 */
import type { HBaseConnection } from './driver.ts';
import { encode, keyOf, type RestRow, rowsIn, versionAt } from './rows.ts';
import { sums } from './tables.ts';

/** Sums of a page, and rows that the REST server reads at once. */
const pageSize = 5000;

/**
 * Sums with an event time in the range. A row with several sums may be in two pages.
 * @param table path of the table
 */
export function scanTimes(
  connection: HBaseConnection,
  table: string,
  [fromMs, toMs]: readonly [number, number],
): Promise<RestRow[]> {
  return scan(connection, table, `"startTime":${versionAt(fromMs)},"endTime":${versionAt(toMs)}`);
}

/** Sums of these cells. */
export function scanCells(connection: HBaseConnection, table: string, cells: readonly number[]): Promise<RestRow[]> {
  const ranges = runsOf(cells).map(([first, last]) => ({
    ...{ startRow: encode(keyOf(first)), startRowInclusive: true },
    ...{ stopRow: encode(keyOf(last)), stopRowInclusive: true },
  }));
  const filter = JSON.stringify({ type: 'MultiRowRangeFilter', ranges });
  return scan(connection, table, `"filter":${JSON.stringify(filter)}`);
}

/** Neighbours are one range, with its end included. */
function runsOf(cells: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const cell of [...new Set(cells)].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && cell === run[1] + 1) run[1] = cell;
    else runs.push([cell, cell]);
  }
  return runs;
}

/** @param choice fields of the scanner in JSON */
async function scan(connection: HBaseConnection, table: string, choice: string): Promise<RestRow[]> {
  // The default of versions is all that the server still has.
  const numbers = `"batch":${pageSize},"caching":${pageSize},"maxVersions":1`;
  const body = `{"column":["${encode(sums)}"],${numbers},${choice}}`;
  const { location } = await connection.send({ method: 'PUT', path: `${table}/scanner`, body, expected: [201] });
  if (location === undefined) throw new Error('the REST server has created a scanner without an address');
  const rows: RestRow[] = [];
  try {
    for (;;) {
      const { status, text } = await connection.send({ method: 'GET', path: location, expected: [200, 204] });
      const page = status === 204 ? [] : rowsIn(text);
      for (const row of page) rows.push(row);
      if (page.reduce((count, { Cell }) => count + Cell.length, 0) < pageSize) return rows;
    }
  } finally {
    await connection.send({ method: 'DELETE', path: location }).catch(() => {});
  }
}
