/** The share of one server in a load that several took in turns, as if it had been alone. */
import type { LoadResult } from './load-result.ts';
import { copyRow, emptySamples, isUnfinished } from './samples.ts';

/**
 * Times stay those of the whole load, and so do its duration, the most requests open at once and what the generators used; `index` is the place
 * in the server's own schedule.
 * @param server index of its URL in the job
 * @param servers how many there were
 */
export function loadOfServer(load: LoadResult, server: number, servers: number): LoadResult {
  const rows = Array.from(load.samples.index.keys()).filter((row) => (load.samples.index[row] as number) % servers === server);
  const samples = emptySamples(rows.length);
  for (const [to, from] of rows.entries()) {
    copyRow(load.samples, from, samples, to);
    samples.index[to] = Math.floor((load.samples.index[from] as number) / servers);
  }
  const own = rows.map((_, row) => row);
  const sent = own.filter((row) => !Number.isNaN(samples.sentUs[row])).length;
  return {
    ...load,
    samples,
    sent,
    unfinished: own.filter((row) => isUnfinished(samples, row)).length,
    inFlight: { ...load.inFlight, refused: rows.length - sent },
    body: (row) => (rows[row] === undefined ? undefined : load.body(rows[row])),
  };
}
