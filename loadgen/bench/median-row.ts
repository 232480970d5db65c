/** One row from several rounds: the quiet half of a noisy machine decides, for every tool alike. */
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { type Quantiles, quantileNames, type Row } from './verdict.ts';

/** @param rounds the same server and load, measured again; requests that went astray are kept, all other figures are medians */
export function medianRow(rounds: readonly Row[]): Row {
  const first = rounds[0] as Row;
  const astray = rounds.find(({ scheduled, sent, served }) => sent !== scheduled || served !== scheduled);
  return {
    ...(astray ?? first),
    truth: medians(rounds.map(({ truth }) => truth)),
    measured: medians(rounds.map(({ measured }) => measured)),
    hiccups: {
      sleeping: medians(rounds.map(({ hiccups }) => hiccups.sleeping)),
      roundTrip: medians(rounds.map(({ hiccups }) => hiccups.roundTrip)),
    },
    lag: medians(rounds.map(({ lag }) => lag)),
    restless: {
      givenUp: rounds.reduce((sum, { restless }) => sum + restless.givenUp, 0),
      kept: rounds.reduce((sum, { restless }) => sum + restless.kept, 0),
    },
    generatorCores: median(rounds.map(({ generatorCores }) => generatorCores)),
    peers: first.peers.map(({ name }, peer) => ({
      name,
      measured: medians(rounds.flatMap(({ peers }) => peers[peer]?.measured ?? [])),
    })),
  };
}

function medians(of: readonly Quantiles[]): Quantiles {
  const pairs = quantileNames.map((name) => [name, median(of.map((quantiles) => quantiles[name]))] as const);
  return Object.fromEntries(pairs) as unknown as Quantiles;
}

/** NaN when a tool does not report the quantile. */
function median(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : quantileOfSorted(sortedCopy(values), 0.5);
}
