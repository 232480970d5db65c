/**
 * Servers that take turns under load. Each gets the whole schedule for itself, cut into slices, so disturbances of the
 * host affect all alike. The order of turns is drawn for two rounds of slices at a time, and the second is reversed. No
 * server always follows another, and linear drift cancels out.
 */
import { shuffled } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';
import type { LoadJob, Turns } from './load-job.ts';
import type { Samples } from './samples.ts';

/** Length of one turn: the slice and the pause after it. */
export function turnUs({ sliceUs, gapUs }: Pick<Turns, 'sliceUs' | 'gapUs'>): number {
  return sliceUs + gapUs;
}

/** Number of slices of each server for a load of `ownUs`, rounded up. */
function slicesOf(ownUs: number, { sliceUs }: Pick<Turns, 'sliceUs'>): number {
  return Math.ceil(ownUs / sliceUs);
}

/** Length of a load in which each server is under load for `ownUs`, in whole slices. */
export function durationInTurnsUs(ownUs: number, servers: number, turns: Pick<Turns, 'sliceUs' | 'gapUs'>): number {
  return slicesOf(ownUs, turns) * servers * turnUs(turns);
}

/**
 * The job of one server by itself; its turns consist of this job's schedule and requests.
 * @param server index of its URL
 */
export function jobOfServer({ turns, ...job }: LoadJob, server: number): LoadJob {
  if (!turns) return job;
  const slices = Math.round(job.durationUs / (job.urls.length * turnUs(turns)));
  return {
    ...job,
    urls: [job.urls[server] as string],
    request: turns.requests?.[server] ?? job.request,
    durationUs: slices * turns.sliceUs,
  };
}

/** Servers in the order of their turns, by index of the slice: a function of seed and repetition. */
export function turnOrder(seed: number, repetition: number, servers: number): (slice: number) => readonly number[] {
  const inOrder = Array.from({ length: servers }, (_, server) => server);
  return (slice) => {
    const drawn = shuffled(inOrder, streams.turns(seed, repetition, Math.floor(slice / 2)));
    return slice % 2 === 0 ? drawn : drawn.reverse();
  };
}

/** Requests still in flight when the turn after theirs began: they overlap with another server's measurement. */
export function openAfterTurn(
  { intendedUs, sentUs, doneUs }: Samples,
  turns: Pick<Turns, 'sliceUs' | 'gapUs'>,
): number {
  const length = turnUs(turns);
  let open = 0;
  intendedUs.forEach((intended, row) => {
    const endUs = (Math.floor(intended / length) + 1) * length;
    // A request that was never sent does not overlap. Without an answer, the comparison with NaN is false.
    if (!Number.isNaN(sentUs[row]) && !((doneUs[row] as number) <= endUs)) open++;
  });
  return open;
}
