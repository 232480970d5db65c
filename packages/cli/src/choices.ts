/** The flags that change an experiment for one call (`--set`, `--only` and short forms), as choices for its file. */
import type { FactorLevel, RunnerName } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { assignedValues } from './option-values.ts';

export interface ChoiceFlags {
  only?: [factor: string, levels: string][];
  set?: [path: string, value: string][];
  repetitions?: number;
  seed?: number;
  keepRequests?: boolean;
  traceHops?: string;
  runner?: RunnerName;
}

export function choicesOf(flags: ChoiceFlags): Choices {
  const { only = [], set = [], repetitions, seed, keepRequests, traceHops, runner } = flags;
  const fields = assignedValues(set);
  if (repetitions !== undefined) fields.repetitions = repetitions;
  if (seed !== undefined) fields.seed = seed;
  if (keepRequests) fields.keepRequests = true;
  if (traceHops !== undefined) fields.traceHops = traceHops;
  if (runner !== undefined) fields.runner = runner;
  return { set: fields, only: Object.fromEntries(only.map(([factor, levels]) => [factor, levels.split(',')])) };
}

/** `--set` for a topology without an experiment. */
export function topologyChoices(set: ChoiceFlags['set'] = []): Record<string, FactorLevel> {
  return assignedValues(set) as Record<string, FactorLevel>;
}
