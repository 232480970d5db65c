/**
 * The schedule of servers that take turns: the arrivals of each slice, once for every server, one server after the
 * other.
 */
import type { ArrivalShard } from './arrivals.ts';
import { type TurnLengths, turnUs } from './turns.ts';

export interface TakenInTurns extends TurnLengths {
  servers: number;
  /** Servers in the order of their turns, by index of the slice. */
  orderOf: (slice: number) => readonly number[];
}

/**
 * The part of one generator process in the load of all servers.
 * @param timesUs schedule of one server by itself, in µs, ascending
 * @returns in order of time, distributed to the processes one by one. A request of place `i` for server `s` has the
 *   index `i · servers + s`
 */
export function alternatingShard(
  timesUs: Float64Array,
  { servers, orderOf, ...turns }: TakenInTurns,
  { part, parts }: { part: number; parts: number },
): ArrivalShard {
  const { sliceUs } = turns;
  const indexes: number[] = [];
  const times: number[] = [];
  let row = 0;
  for (let from = 0; from < timesUs.length; ) {
    const slice = Math.floor((timesUs[from] as number) / sliceUs);
    let to = from;
    while (to < timesUs.length && (timesUs[to] as number) < (slice + 1) * sliceUs) to++;
    for (const [turn, server] of orderOf(slice).entries()) {
      const delayUs = (slice * servers + turn) * turnUs(turns) - slice * sliceUs;
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
