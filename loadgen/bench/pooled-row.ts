/**
 * One row from several rounds of the same server and load. Quantiles are those of all requests of all rounds: the median of the rounds' own
 * p99.9 would be a median of their one or two worst requests. Other tools say their quantiles alone, and their figures are medians of rounds.
 */
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { type PeerFigures, type Quantiles, quantileNames, type Row } from './verdict.ts';

/** Times in µs, one value per request or wake-up. */
export interface Round {
  scheduled: number;
  sent: number;
  served: number;
  truth: Float64Array;
  measured: Float64Array;
  /** How far the time of each request is from its own truth. */
  error: Float64Array;
  lag: Float64Array;
  slept: Float64Array;
  roundTrips: Float64Array;
  generatorCores: number;
}

/** A request waits for the CPU three times: in the sender, in the server, and in the receiver. */
const wakeUpsOfRequest = 3;

/** @param rounds at least one; one in which requests went astray lends its counts to the row */
export function pooledRow(
  load: Pick<Row, 'server' | 'arrivals' | 'rateRps' | 'restless'>,
  rounds: readonly Round[],
  peers: readonly PeerFigures[],
): Row {
  const pooled = (of: (round: Round) => Float64Array): Quantiles => quantiles(joined(rounds.map(of)));
  const counts = (rounds.find(({ scheduled, sent, served }) => sent !== scheduled || served !== scheduled) ?? rounds[0]) as Round;
  return {
    ...load,
    scheduled: counts.scheduled,
    sent: counts.sent,
    served: counts.served,
    truth: pooled(({ truth }) => truth),
    measured: pooled(({ measured }) => measured),
    error: pooled(({ error }) => error),
    hiccups: { sleeping: sleepersQuantiles(rounds), roundTrip: pooled(({ roundTrips }) => roundTrips) },
    lag: pooled(({ lag }) => lag),
    generatorCores: median(rounds.map(({ generatorCores }) => generatorCores)),
    peers: [...new Set(peers.map(({ name }) => name))].map((name) => ({
      name,
      measured: medians(peers.filter((peer) => peer.name === name).map(({ measured }) => measured)),
    })),
  };
}

/** How long the host kept a thread that only sleeps waiting, over the wake-ups of a request. */
export function sleepersQuantiles(rounds: readonly Round[]): Quantiles {
  return quantiles(joined(rounds.map(({ slept }) => slept)), wakeUpsOfRequest);
}

/**
 * @param chances the value at q is that of 1 − (1 − q) / chances: what is met with probability 1 − q by something that has so many
 *   chances to meet it (union bound)
 */
function quantiles(values: Float64Array, chances = 1): Quantiles {
  const sorted = sortedCopy(values);
  const at = (q: number): number => quantileOfSorted(sorted, 1 - (1 - q) / chances);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999) };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function medians(of: readonly Quantiles[]): Quantiles {
  const pairs = quantileNames.map((name) => [name, median(of.map((quantiles) => quantiles[name]))] as const);
  return Object.fromEntries(pairs) as unknown as Quantiles;
}

/** NaN when a tool does not report the quantile. */
function median(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : quantileOfSorted(sortedCopy(values), 0.5);
}
