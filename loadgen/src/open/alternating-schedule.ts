/**
 * Several servers under the same load side by side: each gets the whole schedule for itself, cut into slices that take turns, so that
 * whatever the host does meanwhile meets all of them alike. Every other round goes backwards (A B, B A, …): drift that is linear cancels out.
 */
import type { ArrivalShard } from '@topo-bench/workload/arrivals';

/**
 * The part of one of several generator processes in the load of all servers.
 * @param timesUs schedule of one server by itself, in µs, ascending
 * @param sliceUs length of a turn
 * @param servers how many take turns; a request of place `i` for server `s` has the index `i · servers + s`
 * @returns in order of time; dealt to the processes one by one
 */
export function alternatingShard(
  timesUs: Float64Array,
  sliceUs: number,
  servers: number,
  { part, parts }: { part: number; parts: number },
): ArrivalShard {
  const indexes: number[] = [];
  const times: number[] = [];
  let row = 0;
  for (let from = 0; from < timesUs.length; ) {
    const slice = Math.floor((timesUs[from] as number) / sliceUs);
    let to = from;
    while (to < timesUs.length && (timesUs[to] as number) < (slice + 1) * sliceUs) to++;
    for (let turn = 0; turn < servers; turn++) {
      const server = slice % 2 === 0 ? turn : servers - 1 - turn;
      const delayUs = (slice * (servers - 1) + turn) * sliceUs;
      for (let place = from; place < to; place++) {
        if (row++ % parts !== part) continue;
        indexes.push(place * servers + server);
        times.push((timesUs[place] as number) + delayUs);
      }
    }
    from = to;
  }
  return { indexes: Uint32Array.from(indexes), timesUs: Float64Array.from(times) };
}
