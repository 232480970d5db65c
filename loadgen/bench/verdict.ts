/** What the bench demands of the driver, row by row. */

/** Times in µs. */
export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  p999: number;
}

export interface PeerFigures {
  name: string;
  measured: Quantiles;
}

export interface Row {
  server: string;
  arrivals: string;
  rateRps: number;
  scheduled: number;
  sent: number;
  /** Requests that the server saw. */
  served: number;
  truth: Quantiles;
  measured: Quantiles;
  /**
   * Of how far each request's time is from its own truth. It decides nothing, and explains: where the truth jumps at a quantile, as that of a
   * server whose timers tick in whole ms, a few requests more on the far side move the measured quantile by the whole jump.
   */
  error: Quantiles;
  /**
   * The host's own hiccups, in the same run: how long it kept a thread that only sleeps waiting, over the three wake-ups of a request;
   * and how much longer than usual after its due time a byte had been to another process and back.
   */
  hiccups: { sleeping: Quantiles; roundTrip: Quantiles };
  lag: Quantiles;
  generatorCores: number;
  peers: PeerFigures[];
  /** Rounds that were given up because the host was too restless, and those that count although it was. */
  restless: { givenUp: number; kept: number };
}

export interface Verdict {
  passed: boolean;
  failures: string[];
  /** What the verdict owes to which measure of the host's hiccups: tail figures that hold narrower bounds. */
  tail: { measure: string; within: number; of: number }[];
}

export const quantileNames = ['p50', 'p95', 'p99', 'p999'] as const;
export type QuantileName = (typeof quantileNames)[number];

const relative = 0.02;
/** Bound of the median and p95, whatever the host does. */
const centreUs = 500;
const mostCores = 0.25;
const ratedRps = 1000;

/**
 * Whether the host kept a thread that only sleeps waiting for longer than the median and p95 of a load generator may be off: nobody's figures can
 * hold that bound then, and the round says nothing.
 */
export function isRestless(sleeping: Quantiles): boolean {
  return sleeping.p95 > centreUs;
}

/** How far from the truth a quantile may be: 2% or 0.5 ms, and in the tail what the host's own hiccups explain, by either of their measures. */
export function toleranceUs(row: Row, quantile: QuantileName): number {
  const hiccupUs = isTail(quantile) ? Math.max(row.hiccups.sleeping[quantile], row.hiccups.roundTrip[quantile]) : 0;
  return Math.max(relative * row.truth[quantile], centreUs, hiccupUs);
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
  const tail = rows.flatMap((row) => quantileNames.filter(isTail).map((quantile) => ({ row, quantile })));
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
  return { passed: failures.length === 0, failures, tail: tailByMeasure(rows) };
}

function* failuresOf(row: Row): Generator<string> {
  const name = `${row.server}, ${row.arrivals}, ${row.rateRps} req/s`;
  const { truth } = row;
  if (row.sent !== row.scheduled || row.served !== row.scheduled) {
    yield `${name}: ${row.scheduled} scheduled, ${row.sent} sent, ${row.served} served`;
  }
  for (const quantile of quantileNames) {
    const ourOffUs = offUs(row, quantile);
    if (ourOffUs <= toleranceUs(row, quantile)) continue;
    yield `${name}: ${quantile} is off by ${(ourOffUs / 1e3).toFixed(2)} ms, at most ${(toleranceUs(row, quantile) / 1e3).toFixed(2)} ms allowed`;
    // Within the tolerance two tools are equally near; beyond it none may be nearer.
    for (const peer of row.peers) {
      if (Math.abs(peer.measured[quantile] - truth[quantile]) < ourOffUs)
        yield `${name}: ${peer.name} is nearer to the true ${quantile}`;
    }
  }
  if (row.rateRps === ratedRps && row.generatorCores > mostCores) {
    yield `${name}: generator used ${row.generatorCores.toFixed(2)} cores, at most ${mostCores} allowed`;
  }
}
