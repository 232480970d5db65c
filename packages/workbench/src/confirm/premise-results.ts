/** Premises as rows of a gate: what the files and the observed values say now, against the ranges of the decision. */
import type { ThresholdResult } from '@topo-bench/comparison';
import { type Premise, type PremiseName, type Premises, premiseNames } from '@topo-bench/core/schema/confirmation';
import { type FactRanges, observedText, premiseText } from '../decide/premise-facts.ts';
import type { ObservedValue } from './observed-metrics.ts';

export interface PremiseResults {
  results: ThresholdResult[];
  /** Premises that nothing observed. */
  unobserved: PremiseName[];
}

/**
 * @param inFiles what the files say; undefined where no premise is from files
 * @param observed undefined without a metrics file: premises from metrics are then unobserved, not undecided
 */
export function premiseResults(
  premises: Premises,
  inFiles: FactRanges | undefined,
  observed: ObservedValue | undefined,
): PremiseResults {
  const results: ThresholdResult[] = [];
  const unobserved: PremiseName[] = [];
  for (const name of premiseNames) {
    const premise = premises[name];
    if (!premise) continue;
    const now = premise.from === 'files' ? inFiles?.[name] : undefined;
    const value = observed?.(premise.metric ?? name);
    const values = [...(now ?? []), ...(value === undefined ? [] : [value])];
    if (values.length > 0) results.push(judged(name, premise, values));
    else if (premise.from === 'metrics' && !observed) unobserved.push(name);
    else results.push(undecided(name, premise));
  }
  return { results, unobserved };
}

function judged(name: PremiseName, premise: Premise, values: readonly number[]): ThresholdResult {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = premise;
  const outside = values.find((value) => value < min || value > max);
  const shown = observedText(name, outside ?? (values.at(-1) as number));
  const reason =
    outside === undefined ? shown : `${shown}, and the decision was made for ${premiseText(name, premise)}`;
  return { ...head(name, premise), verdict: outside === undefined ? 'passed' : 'failed', reason };
}

function undecided(name: PremiseName, premise: Premise): ThresholdResult {
  const where =
    premise.from === 'metrics' ? `the metrics file has no ${premise.metric ?? name}` : 'the files have none';
  return { ...head(name, premise), verdict: 'cannot tell', reason: where };
}

/** Where nothing else is checked, a premise that nothing observed leaves the answer open. */
export function unobservedResults(premises: Premises, names: readonly PremiseName[]): ThresholdResult[] {
  return names.map((name) => {
    const reason = 'not observed: give its value with --metrics FILE';
    return { ...head(name, premises[name] as Premise), verdict: 'cannot tell', reason };
  });
}

function head(name: PremiseName, premise: Premise): Omit<ThresholdResult, 'verdict' | 'reason'> {
  const limit = premise.max ?? (premise.min as number);
  return { threshold: `premise: ${premiseText(name, premise)}`, metric: name, kind: 'absolute', limit, cells: [] };
}
