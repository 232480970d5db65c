/** The bounds of the driver, row by row, alone and next to the other tools. */
import { type Estimate, pairedShift, shift } from '@topo-bench/stats';
import { type QuantileName, type Quantiles, quantileNames } from './quantiles.ts';

/** Rounds that were given up because the host was too restless, and those that count although it was. */
export interface Restless {
  givenUp: number;
  kept: number;
}

export interface PeerFigures {
  name: string;
  /** Medians of the rounds. */
  measured: Quantiles;
  truth: Quantiles;
  /** By round: how far the tool's quantiles are from the truth of its own requests. */
  distances: readonly Quantiles[];
  restless: Restless;
}

/**
 * Where our times begin. Our figures count from the intended arrival. k6 and Fortio time from the send, so that a late
 * send is in none of their figures: tools are compared with ours from the send.
 */
export const clocks = ['send', 'arrival'] as const;
export type Clock = (typeof clocks)[number];

export interface Row {
  server: string;
  arrivals: string;
  rateRps: number;
  /** Whether the tolerances hold for the row: an ordinary server's log leaves out the waits before its handler runs. */
  judged: boolean;
  scheduled: number;
  sent: number;
  /** Requests that the server saw. */
  served: number;
  truth: Quantiles;
  measured: Quantiles;
  /**
   * Distance of each request's time from its own truth. Explains, decides nothing: where the truth jumps, a quantile
   * may too.
   */
  error: Quantiles;
  /** By round: how far its quantiles are from the truth of that round. */
  distances: Readonly<Record<Clock, readonly Quantiles[]>>;
  /**
   * The host's own hiccups in the same run: waits of a thread that only sleeps, over the three wake-ups of a request;
   * and how much longer than usual after its due time a byte took to another process and back.
   */
  hiccups: { sleeping: Quantiles; roundTrip: Quantiles };
  lag: Quantiles;
  generatorCores: number;
  peers: PeerFigures[];
  restless: Restless;
}

export interface Verdict {
  passed: boolean;
  failures: string[];
  comparisons: Comparison[];
  /** Tail figures within the narrower bounds of each measure of the host's hiccups. */
  tail: { measure: string; within: number; of: number }[];
}

const relative = 0.02;
/** Bound of the median and p95, whatever the host does. */
const centreUs = 500;
const maxCores = 0.25;
const ratedRps = 1000;

/**
 * Whether the host woke a sleeping thread later than the bound on the median and p95 of a load generator. No generator
 * can keep that bound then, and the round is no evidence.
 */
export function isRestless(sleeping: Quantiles): boolean {
  return sleeping.p95 > centreUs;
}

/**
 * How far from the truth a quantile may be: 2% or 0.5 ms, and in the tail what the host's own hiccups explain, by
 * either of their measures.
 */
export function toleranceUs(row: Row, quantile: QuantileName): number {
  const hiccupUs = isTail(quantile) ? Math.max(row.hiccups.sleeping[quantile], row.hiccups.roundTrip[quantile]) : 0;
  return Math.max(relative * row.truth[quantile], centreUs, hiccupUs);
}

/** Our driver next to a tool, by quantile: the number of rows with each verdict, and all rows together. */
export interface Comparison {
  clock: Clock;
  peer: string;
  quantile: QuantileName;
  rows: Record<Proximity, number>;
  /** How much further ours is from the truth, in µs: the centre of the rows' own differences. */
  pooled: Estimate;
}

export type Proximity = 'nearer' | 'level' | 'further' | 'cannot tell';

/**
 * Fortio's buckets are 50 µs wide, and a request crosses the loopback device twice: below this, distances are equal.
 */
const resolutionUs = 100;

/** Confidence of a row: three rounds of each are the fewest with an interval. It spans all their differences. */
const rowAlpha = 0.1;
const pooledAlpha = 0.05;

export interface ComparedDistances {
  proximity: Proximity;
  /** How much further ours is from the truth, in µs, with its interval over the rounds. */
  further: Estimate;
}

/** Ours next to a tool's, by what the whole interval of the difference is: beyond the resolution, or within it. */
export function compareDistances(
  ours: readonly Quantiles[],
  theirs: readonly Quantiles[],
  quantile: QuantileName,
): ComparedDistances {
  const valuesOf = (rounds: readonly Quantiles[]): number[] => rounds.map((round) => round[quantile]);
  const further = shift(valuesOf(theirs), valuesOf(ours), rowAlpha);
  const [low, high] = further.interval;
  if (high < -resolutionUs) return { proximity: 'nearer', further };
  if (low > resolutionUs) return { proximity: 'further', further };
  return { proximity: low >= -resolutionUs && high <= resolutionUs ? 'level' : 'cannot tell', further };
}

const unknown: Estimate = { estimate: Number.NaN, interval: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] };

function comparisonsOf(rows: readonly Row[]): Comparison[] {
  const names = [...new Set(rows.flatMap(({ peers }) => peers.map(({ name }) => name)))];
  const compared = (clock: Clock, peer: string, quantile: QuantileName): Comparison => {
    const counts = { nearer: 0, level: 0, further: 0, 'cannot tell': 0 };
    const differences: number[] = [];
    for (const { distances, peers } of rows) {
      const theirs = peers.find(({ name }) => name === peer)?.distances ?? [];
      if (theirs.length === 0 || theirs.some((round) => Number.isNaN(round[quantile]))) continue;
      const { proximity, further } = compareDistances(distances[clock], theirs, quantile);
      counts[proximity]++;
      differences.push(further.estimate);
    }
    const pooled = differences.length > 0 ? pairedShift(differences, pooledAlpha) : unknown;
    return { clock, peer, quantile, rows: counts, pooled };
  };
  return clocks.flatMap((clock) =>
    names.flatMap((peer) => quantileNames.map((quantile) => compared(clock, peer, quantile))),
  );
}

function isTail(quantile: QuantileName): boolean {
  return quantile === 'p99' || quantile === 'p999';
}

function tailByMeasure(rows: readonly Row[]): Verdict['tail'] {
  const measures: [string, (row: Row, quantile: QuantileName) => number][] = [
    ['2% or 0.5 ms alone', () => centreUs],
    ['2% or the hiccups of a sleeping thread', ({ hiccups }, quantile) => hiccups.sleeping[quantile]],
    ['2% or the hiccups of a round trip', ({ hiccups }, quantile) => hiccups.roundTrip[quantile]],
  ];
  const tail = rows
    .filter(({ judged }) => judged)
    .flatMap((row) => quantileNames.filter(isTail).map((quantile) => ({ row, quantile })));
  return measures.map(([measure, allowedUs]) => ({
    measure,
    within: tail.filter(
      ({ row, quantile }) => offUs(row, quantile) <= Math.max(relative * row.truth[quantile], allowedUs(row, quantile)),
    ).length,
    of: tail.length,
  }));
}

function offUs({ measured, truth }: Row, quantile: QuantileName): number {
  return Math.abs(measured[quantile] - truth[quantile]);
}

export function judge(rows: readonly Row[]): Verdict {
  const failures = rows.flatMap((row) => [...failuresOf(row)]);
  return { passed: failures.length === 0, failures, comparisons: comparisonsOf(rows), tail: tailByMeasure(rows) };
}

function* failuresOf(row: Row): Generator<string> {
  const name = `${row.server}, ${row.arrivals}, ${row.rateRps} req/s`;
  if (row.sent !== row.scheduled || row.served !== row.scheduled) {
    yield `${name}: ${row.scheduled} scheduled, ${row.sent} sent, ${row.served} served`;
  }
  for (const quantile of row.judged ? quantileNames : []) {
    const ourOffUs = offUs(row, quantile);
    if (ourOffUs <= toleranceUs(row, quantile)) continue;
    yield `${name}: ${quantile} is off by ${(ourOffUs / 1e3).toFixed(2)} ms, max ${(toleranceUs(row, quantile) / 1e3).toFixed(2)} ms allowed`;
  }
  for (const peer of row.peers) {
    for (const quantile of quantileNames) {
      if (peer.distances.some((round) => Number.isNaN(round[quantile]))) continue;
      if (compareDistances(row.distances.send, peer.distances, quantile).proximity !== 'further') continue;
      yield `${name}: ${peer.name} is nearer to its true ${quantile}`;
    }
  }
  if (row.rateRps === ratedRps && row.generatorCores > maxCores) {
    yield `${name}: generator used ${row.generatorCores.toFixed(2)} cores, max ${maxCores} allowed`;
  }
}
