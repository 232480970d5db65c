/**
 * One row from several rounds of the same server and load. Our quantiles are those of all requests of all rounds: the
 * median of the rounds' own p99.9 would be a median of their worst requests. Tools are compared with each other by
 * round, all alike: how far a round's quantiles are from the truth of that very round, with times from the send.
 */
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { distance, eachQuantile, type Quantiles, quantilesOf } from './quantiles.ts';
import type { Restless, Row } from './verdict.ts';

/** Times in µs, one value per request or wake-up. */
export interface Round {
  scheduled: number;
  sent: number;
  served: number;
  truth: Float64Array;
  measured: Float64Array;
  /** The same from the send on, as k6 and Fortio measure. */
  fromSend: Float64Array;
  /** How far the time of each request is from its own truth. */
  error: Float64Array;
  lag: Float64Array;
  slept: Float64Array;
  roundTrips: Float64Array;
  generatorCores: number;
}

/** A round of another tool, in µs. */
export interface PeerRound {
  name: string;
  measured: Quantiles;
  truth: Quantiles;
  requests: number;
  slept: Float64Array;
}

/** A request waits for the CPU three times: in the sender, in the server, and in the receiver. */
const wakeUpsOfRequest = 3;

/**
 * @param rounds at least one; a round with lost requests sets the counts of the row
 * @param peers rounds of all other tools
 */
export function pooledRow(
  load: Pick<Row, 'server' | 'arrivals' | 'rateRps' | 'judged' | 'restless'>,
  rounds: readonly Round[],
  peers: readonly PeerRound[],
  peersRestless: ReadonlyMap<string, Restless>,
): Row {
  const pooled = (of: (round: Round) => Float64Array): Quantiles => quantilesOf(joined(rounds.map(of)));
  const counts = (rounds.find(({ scheduled, sent, served }) => sent !== scheduled || served !== scheduled) ??
    rounds[0]) as Round;
  return {
    ...load,
    scheduled: counts.scheduled,
    sent: counts.sent,
    served: counts.served,
    truth: pooled(({ truth }) => truth),
    measured: pooled(({ measured }) => measured),
    error: pooled(({ error }) => error),
    distances: {
      arrival: rounds.map(({ measured, truth }) => distance(quantilesOf(measured), quantilesOf(truth))),
      send: rounds.map(({ fromSend, truth }) => distance(quantilesOf(fromSend), quantilesOf(truth))),
    },
    hiccups: { sleeping: sleepersQuantiles(rounds), roundTrip: pooled(({ roundTrips }) => roundTrips) },
    lag: pooled(({ lag }) => lag),
    generatorCores: median(rounds.map(({ generatorCores }) => generatorCores)),
    peers: [...new Set(peers.map(({ name }) => name))].map((name) => {
      const own = peers.filter((peer) => peer.name === name);
      return {
        name,
        measured: medians(own.map(({ measured }) => measured)),
        truth: medians(own.map(({ truth }) => truth)),
        distances: own.map(({ measured, truth }) => distance(measured, truth)),
        restless: peersRestless.get(name) ?? { givenUp: 0, kept: 0 },
      };
    }),
  };
}

/** How long the host kept a thread waiting that only sleeps, over the wake-ups of a request. */
export function sleepersQuantiles(rounds: readonly Pick<Round, 'slept'>[]): Quantiles {
  return quantilesOf(joined(rounds.map(({ slept }) => slept)), wakeUpsOfRequest);
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
  return eachQuantile((name) => median(of.map((quantiles) => quantiles[name])));
}

/** NaN when a tool does not report the quantile. */
export function median(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : quantileOfSorted(sortedCopy(values), 0.5);
}
