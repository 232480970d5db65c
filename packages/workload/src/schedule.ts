/** The intended send times of a load: a function of law, rate, duration, seed and repetition alone. */
import type { ArrivalLaw } from '@topo-bench/core/schema/experiment';
import { alternatingShard } from './alternating-schedule.ts';
import { type ArrivalShard, arrivalShard, arrivalTimesUs, rampTimesUs } from './arrivals.ts';
import { streams } from './streams.ts';
import { ownDurationUs, type TurnLengths, turnOrder } from './turns.ts';

export interface LoadSchedule {
  arrivals: ArrivalLaw;
  rateRps: number;
  /** The rate at the end, if it changes evenly. */
  rampToRps?: number;
  /** In turns: of all servers together. */
  durationUs: number;
  seed: number;
  /** From 1; 0 is the warm-up's. */
  repetition: number;
  /** The servers, in the order of their indexes. */
  urls: readonly unknown[];
  /** Every server has a schedule of its own, and the servers take turns. Default: they share one. */
  turns?: TurnLengths;
}

/**
 * The intended send times of a whole load, in µs from its start. In turns: of each server by itself.
 * @throws TopoBenchError as `arrivalTimesUs`
 */
export function scheduleUs(load: LoadSchedule): Float64Array {
  const { arrivals, rateRps, rampToRps, turns, urls, seed, repetition } = load;
  const durationUs = turns ? ownDurationUs(load.durationUs, urls.length, turns) : load.durationUs;
  const random = streams.arrivals(seed, repetition);
  if (rampToRps === undefined) return arrivalTimesUs(arrivals, rateRps, durationUs, random);
  return rampTimesUs(arrivals, { fromRps: rateRps, toRps: rampToRps, durationUs }, random);
}

/** Requests of one part, and their times. The union over all parts does not depend on their number. */
export function scheduleOfPart(load: LoadSchedule, { part, parts }: { part: number; parts: number }): ArrivalShard {
  const { turns, urls, seed, repetition } = load;
  if (!turns) return arrivalShard(scheduleUs(load), part, parts);
  const servers = urls.length;
  const inTurns = { ...turns, servers, orderOf: turnOrder(seed, repetition, servers) };
  return alternatingShard(scheduleUs(load), inTurns, { part, parts });
}
