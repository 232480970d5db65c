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
  /** How long the host itself kept ready threads waiting, in the same run, over the three wake-ups of a request. */
  hiccups: Quantiles;
  lag: Quantiles;
  generatorCores: number;
  peers: PeerFigures[];
}

export interface Verdict {
  passed: boolean;
  failures: string[];
}

export const quantileNames = ['p50', 'p95', 'p99', 'p999'] as const;
export type QuantileName = (typeof quantileNames)[number];

const relative = 0.02;
const centreUs = 500;
const mostCores = 0.25;
const ratedRps = 1000;

/** How far from the truth a quantile may be: 2% or 0.5 ms, and in the tail what the host's own hiccups explain. */
export function toleranceUs({ truth, hiccups }: Row, quantile: QuantileName): number {
  const floorUs = quantile === 'p50' || quantile === 'p95' ? centreUs : Math.max(centreUs, hiccups[quantile]);
  return Math.max(relative * truth[quantile], floorUs);
}

export function judge(rows: readonly Row[]): Verdict {
  const failures = rows.flatMap((row) => [...failuresOf(row)]);
  return { passed: failures.length === 0, failures };
}

function* failuresOf(row: Row): Generator<string> {
  const name = `${row.server}, ${row.arrivals}, ${row.rateRps} req/s`;
  const { truth, measured } = row;
  if (row.sent !== row.scheduled || row.served !== row.scheduled) {
    yield `${name}: ${row.scheduled} scheduled, ${row.sent} sent, ${row.served} served`;
  }
  for (const quantile of quantileNames) {
    const offUs = Math.abs(measured[quantile] - truth[quantile]);
    if (offUs <= toleranceUs(row, quantile)) continue;
    yield `${name}: ${quantile} is off by ${(offUs / 1e3).toFixed(2)} ms, at most ${(toleranceUs(row, quantile) / 1e3).toFixed(2)} ms allowed`;
    // Within the tolerance two tools are equally near; beyond it none may be nearer.
    for (const peer of row.peers) {
      if (Math.abs(peer.measured[quantile] - truth[quantile]) < offUs)
        yield `${name}: ${peer.name} is nearer to the true ${quantile}`;
    }
  }
  if (row.rateRps === ratedRps && row.generatorCores > mostCores) {
    yield `${name}: generator used ${row.generatorCores.toFixed(2)} cores, at most ${mostCores} allowed`;
  }
}
