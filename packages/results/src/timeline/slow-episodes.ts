/**
 * Episodes: runs of slow requests close in time. One slow request can have many reasons of its own; several at one time
 * have a common one.
 */
import { groupedBy, type Sample } from '@topo-bench/core';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';

/** Times are in µs since the start of the load. */
export interface Episode {
  /** Intended send time of its first slow request. */
  startUs: number;
  /** Last answer to one of its slow requests. */
  endUs: number;
  requests: number;
  /** Max response time; +∞ when one of them never finished. */
  slowestUs: number;
  /** The request with the longest delay. */
  latest: DelayedRequest;
  /** Max scheduler lag of its slow requests. */
  lagUs: number;
}

export interface DelayedRequest {
  /** Intended send time. */
  dueUs: number;
  /** Response time; +∞ when it never finished. */
  us: number;
  /** Response time less the median of its class. */
  delayUs: number;
}

export interface Episodes {
  /** Requests of a class with a longer response time are slow. */
  limitsUs: Map<string, number>;
  slow: number;
  episodes: Episode[];
}

/** Max pause between two slow requests of one episode: from the answer to the one to the due time of the other. */
const maxPauseUs = 50_000;
const minRequests = 3;
/** Min share of slow requests among those that were due in an episode. */
const minShare = 0.5;
/** Fewer requests of a class have no reliable quartiles. */
const minSamples = 20;

type Timed = Pick<Sample, 'class' | 'intendedUs' | 'sentUs' | 'doneUs' | 'outcome'>;

/**
 * Each class has a limit of its own, as a class can take a longer path. A stall delays all classes: episodes are sought
 * over all requests whose class has a limit.
 * @returns undefined if no class has a limit: each has fewer than 20 requests, or a quarter of them never finished
 */
export function findEpisodes(samples: readonly Timed[]): Episodes | undefined {
  // A refusal ends a flow early: its time has no information about a completed one.
  const timed = samples
    .filter(({ outcome }) => outcome === 'completed' || outcome === 'unfinished')
    .map(({ class: name, intendedUs, sentUs, doneUs }) => ({
      name,
      intendedUs,
      lagUs: (sentUs ?? intendedUs) - intendedUs,
      us: doneUs === null ? Number.POSITIVE_INFINITY : doneUs - intendedUs,
    }))
    .sort((a, b) => a.intendedUs - b.intendedUs);
  const usual = new Map<string, Usual>();
  for (const [name, own] of groupedBy(timed, (one) => one.name)) {
    const found = usualOf(own.map(({ us }) => us));
    if (found) usual.set(name, found);
  }
  if (usual.size === 0) return undefined;
  const runs: (Episode & { first: number })[] = [];
  let slow = 0;
  const judged = timed.filter(({ name }) => usual.has(name));
  for (const [at, { name, intendedUs, us, lagUs }] of judged.entries()) {
    const { medianUs, limitUs } = usual.get(name) as Usual;
    if (us <= limitUs) continue;
    slow++;
    const last = runs.at(-1);
    // The end of the cause of an unfinished request is unknown.
    const endUs = intendedUs + (Number.isFinite(us) ? us : limitUs);
    const one: DelayedRequest = { dueUs: intendedUs, us, delayUs: us - medianUs };
    const isRare = last && last.requests + 1 < minShare * (at - last.first + 1);
    if (!last || isRare || intendedUs > last.endUs + maxPauseUs) {
      runs.push({ startUs: intendedUs, first: at, endUs, requests: 1, slowestUs: us, latest: one, lagUs });
      continue;
    }
    last.endUs = Math.max(last.endUs, endUs);
    last.requests++;
    last.slowestUs = Math.max(last.slowestUs, us);
    if (one.delayUs > last.latest.delayUs) last.latest = one;
    last.lagUs = Math.max(last.lagUs, lagUs);
  }
  const episodes = runs
    .filter(({ requests }) => requests >= minRequests)
    .map(({ first: _, ...episode }): Episode => episode);
  return { limitsUs: new Map([...usual].map(([name, { limitUs }]) => [name, limitUs])), slow, episodes };
}

interface Usual {
  medianUs: number;
  limitUs: number;
}

/** @returns undefined for too few times, and where a quarter of them are infinite */
function usualOf(times: readonly number[]): Usual | undefined {
  if (times.length < minSamples) return undefined;
  const sorted = sortedCopy(times);
  const [q1, medianUs, q3] = [0.25, 0.5, 0.75].map((share) => quantileOfSorted(sorted, share)) as [
    number,
    number,
    number,
  ];
  const limitUs = Math.max(q3 + 3 * (q3 - q1), 2 * medianUs);
  return Number.isFinite(limitUs) ? { medianUs, limitUs } : undefined;
}
