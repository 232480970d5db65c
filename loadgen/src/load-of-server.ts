/** Splits a load of several servers in turns into the load of one server, as if it had run alone. */
import type { LoadResult } from './load-result.ts';
import { copyRow, emptySamples, isUnfinished } from './samples.ts';

/**
 * `index` becomes the place in the server's own schedule. All else stays that of the whole load: times, duration, max
 * requests in flight, and the generators' resource use.
 * @param server index of its URL in the job
 * @param servers number of servers
 */
export function loadOfServer(load: LoadResult, server: number, servers: number): LoadResult {
  const rows = Array.from(load.samples.index.keys()).filter(
    (row) => (load.samples.index[row] as number) % servers === server,
  );
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
