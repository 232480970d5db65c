/**
 * The way most tools gate: one run of the candidate, an alarm when it is a tenth slower than the last run of the
 * baseline.
 */
import type { StoredPair } from './stored-pairs.ts';

export interface FixedRule {
  alarms: number;
  of: number;
}

const limit = 1.1;

/** @param pairs in the order measured; the last run is the baseline of the pair before */
export function againstLastRun(pairs: readonly StoredPair[]): FixedRule {
  const candidates = pairs.slice(1);
  const alarms = candidates.filter(
    ({ candidateUs }, at) => candidateUs > limit * (pairs[at] as StoredPair).baselineUs,
  ).length;
  return { alarms, of: candidates.length };
}
