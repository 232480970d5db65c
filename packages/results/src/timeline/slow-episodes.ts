/**
 * Episodes: runs of slow requests close in time. One slow request can have many reasons of its own; several at one time
 * have a common one.
 */
import type { Sample } from '@topo-bench/core';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';

/** Times are in µs since the start of the load. */
export interface Episode {
  /** Intended send time of its first slow request. */
  startUs: number;
  /** Last answer to one of its slow requests. */
  endUs: number;
  requests: number;
  /** +∞ when one of them never finished. */
  slowestUs: number;
  /** Intended send time of the slowest. */
  slowestDueUs: number;
  /** Max scheduler lag of its slow requests. */
  lagUs: number;
}

export interface Episodes {
  medianUs: number;
  /** Requests with a longer response time are slow. */
  limitUs: number;
  slow: number;
  episodes: Episode[];
}

/** Max pause between two slow requests of one episode: from the answer to the one to the due time of the other. */
const maxPauseUs = 50_000;
const minRequests = 3;
/** Min share of slow requests among those that were due in an episode. */
const minShare = 0.5;
/** Fewer requests have no reliable quartiles. */
const minSamples = 20;

type Timed = Pick<Sample, 'intendedUs' | 'sentUs' | 'doneUs' | 'outcome'>;

/** @returns undefined for fewer than 20 requests, and where a quarter of them never finished */
export function findEpisodes(samples: readonly Timed[]): Episodes | undefined {
  // A refusal ends a flow early: its time has no information about a completed one.
  const timed = samples
    .filter(({ outcome }) => outcome === 'completed' || outcome === 'unfinished')
    .map(({ intendedUs, sentUs, doneUs }) => ({
      intendedUs,
      lagUs: (sentUs ?? intendedUs) - intendedUs,
      us: doneUs === null ? Number.POSITIVE_INFINITY : doneUs - intendedUs,
    }))
    .sort((a, b) => a.intendedUs - b.intendedUs);
  if (timed.length < minSamples) return undefined;
  const sorted = sortedCopy(timed.map(({ us }) => us));
  const [q1, medianUs, q3] = [0.25, 0.5, 0.75].map((share) => quantileOfSorted(sorted, share)) as [
    number,
    number,
    number,
  ];
  const limitUs = Math.max(q3 + 3 * (q3 - q1), 2 * medianUs);
  if (!Number.isFinite(limitUs)) return undefined;
  const runs: (Episode & { first: number })[] = [];
  let slow = 0;
  for (const [at, { intendedUs, us, lagUs }] of timed.entries()) {
    if (us <= limitUs) continue;
    slow++;
    const last = runs.at(-1);
    // The end of the cause of an unfinished request is unknown.
    const endUs = intendedUs + (Number.isFinite(us) ? us : limitUs);
    const isRare = last && last.requests + 1 < minShare * (at - last.first + 1);
    if (!last || isRare || intendedUs > last.endUs + maxPauseUs) {
      const slowest = { slowestUs: us, slowestDueUs: intendedUs };
      runs.push({ startUs: intendedUs, first: at, endUs, requests: 1, ...slowest, lagUs });
      continue;
    }
    last.endUs = Math.max(last.endUs, endUs);
    last.requests++;
    if (us > last.slowestUs) Object.assign(last, { slowestUs: us, slowestDueUs: intendedUs });
    last.lagUs = Math.max(last.lagUs, lagUs);
  }
  const episodes = runs
    .filter(({ requests }) => requests >= minRequests)
    .map(({ first: _, ...episode }): Episode => episode);
  return { medianUs, limitUs, slow, episodes };
}
