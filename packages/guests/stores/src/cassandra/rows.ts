/** Reads and writes rows of a heat map, a bounded number of statements at a time. */
import type { Client, types } from 'cassandra-driver';
import type { HeatMapEntry } from '../heat-map/heat-map.ts';
import { heatMapStatements as statements, statementsInFlight } from './heat-map-statements.ts';

/** Runs the steps, up to `statementsInFlight` at a time; the first failure ends it, after the steps in flight. */
async function eachOf<T>(values: readonly T[], step: (value: T, index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < values.length; i = next++) {
      try {
        await step(values[i] as T, i);
      } catch (error) {
        next = values.length;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(statementsInFlight, values.length) }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** @param time of the write: a row of a cell is replaced only by one with a later time */
export async function writeRows(
  session: Client,
  writer: string,
  entries: readonly HeatMapEntry[],
  time: number,
): Promise<void> {
  await eachOf(entries, async ({ cell, crossings, timeMs }) => {
    await session.execute(statements.write, [cell, writer, crossings, timeMs, time]);
  });
}

/** Rows of the cells, of one writer or of all. */
export async function readRows(session: Client, cells: readonly number[], writer?: string): Promise<HeatMapEntry[]> {
  const rows: HeatMapEntry[] = [];
  await eachOf(cells, async (cell) => {
    const { rows: found } =
      writer === undefined
        ? await session.execute(statements.read, [cell])
        : await session.execute(statements.readOwn, [cell, writer]);
    rows.push(...found.map(toEntry));
  });
  return rows;
}

export function toEntry(row: types.Row): HeatMapEntry {
  const { cell, crossings, event_time_ms: timeMs } = row as unknown as Record<string, types.Long>;
  return { cell: Number(cell), crossings: Number(crossings), timeMs: Number(timeMs) };
}
