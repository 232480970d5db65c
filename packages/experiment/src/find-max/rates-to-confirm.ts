/** Chooses the rates at which the result of a search is confirmed: first both ends, then further ones beyond them. */

import type { SustainedRate } from '@topo-bench/results';
import type { FindMaxResult } from '@topo-bench/results/find-max';

/** Rates of one line, beyond which an open end stays open. */
const maxRates = 6;

/** The ends of the bracket that the search found. */
export function firstRates({ rateRps, failedRps }: Pick<FindMaxResult, 'rateRps' | 'failedRps'>): number[] {
  return [rateRps, failedRps].filter((rate) => rate !== undefined);
}

/**
 * One step further at each end that its repetitions do not show: a search decides by single loads, and the condition
 * can hold at one rate in most repetitions only.
 * @param search.anyMet whether any load of the search met the condition; without one, there is no lower end to look for
 */
export function furtherRates(
  { rates, lowRps, highRps }: SustainedRate,
  { precision, anyMet }: { precision: number; anyMet: boolean },
): number[] {
  const [lowest, highest] = [rates[0], rates.at(-1)];
  if (!lowest || !highest || rates.length >= maxRates) return [];
  const step = 1 + precision;
  return [
    ...(lowRps === undefined && anyMet ? [rounded(lowest.rateRps / step)] : []),
    ...(highRps === undefined ? [rounded(highest.rateRps * step)] : []),
  ];
}

function rounded(rateRps: number): number {
  return Number(rateRps.toPrecision(3));
}
