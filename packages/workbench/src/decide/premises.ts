/** Premises of a decision: the ranges that its runs covered, up to where the chosen option is overtaken. */
import { shortFactorName } from '@topo-bench/core';
import { type Premise, type PremiseName, type Premises, premiseNames } from '@topo-bench/core/schema/confirmation';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import type { ExperimentCell } from '@topo-bench/trial';
import { open } from '../open.ts';
import { type FactRanges, factsOf, premiseText, rangesOf } from './premise-facts.ts';
import type { Sensitivity } from './sensitivity.ts';

/** Factors whose levels are facts of a premise: left out, the topology has those of its files. */
const premiseFactors = ['services', 'rulesPerService', 'delay'];

/**
 * What the files say now, of all cells of the experiment.
 * @throws TopoBenchError for problems of the files
 */
export async function factsInFiles(experiment: string, { set = {}, only = {} }: Choices): Promise<FactRanges> {
  const others = <T>(choices: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(choices).filter(([name]) => !premiseFactors.includes(shortFactorName(name))));
  const choices = { set: others(set), only: others(only), without: premiseFactors };
  const { resolved } = await open({ experiment }, choices);
  return rangesOf(resolved.cells.map(({ graph }) => factsOf(graph)));
}

/**
 * @param cells of the runs
 * @param now facts of the files; those outside the range of the runs can only be observed elsewhere
 */
export function premisesOf(cells: readonly ExperimentCell[], now: FactRanges, limits: Sensitivity['limits']): Premises {
  const covered = rangesOf(
    cells.map(({ graph, settings: { load } }) => ({
      ...factsOf(graph),
      ...(load.driver === 'open' && { rate: load.rate }),
    })),
  );
  return Object.fromEntries(
    premiseNames.flatMap((name) => {
      const range = covered[name];
      return range ? [[name, premiseOf(name, range, now[name], limits[name])]] : [];
    }),
  );
}

function premiseOf(
  name: PremiseName,
  covered: readonly [number, number],
  now: FactRanges[PremiseName],
  limits: { min?: number; max?: number } = {},
): Premise {
  const [low, high] = [Math.max(covered[0], limits.min ?? 0), Math.min(covered[1], limits.max ?? covered[1])];
  // Curves of several settings can contradict each other; the range of the runs is then all that is known.
  const [min, max] = low <= high ? [low, high] : covered;
  // A lower rate than the runs had is no reason for an alarm, unless another option is better there.
  if (name === 'rate') return { ...(limits.min !== undefined && { min }), max, from: 'metrics' };
  const isObserved = now !== undefined && now[0] >= min && now[1] <= max;
  return { min, max, from: isObserved ? 'files' : 'metrics' };
}

/** One text for each premise. */
export function premiseTextsOf(premises: Premises): string[] {
  return premiseNames.flatMap((name) => {
    const premise = premises[name];
    if (!premise) return [];
    const how = premise.from === 'files' ? 'checked in the files' : `observed in metrics as ${premise.metric ?? name}`;
    return [`${premiseText(name, premise)}, ${how}`];
  });
}
