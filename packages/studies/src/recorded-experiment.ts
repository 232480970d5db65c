/** The experiment of a run as it was resolved, from the inputs that the run records. */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { inputsOf, type ResolvedExperiment, resolveExperiment } from '@topo-bench/experiment';
import type { Study } from '@topo-bench/trial';

/** @returns undefined where the inputs cannot be read again */
export function recordedExperiment(
  { record }: Pick<RunFolder, 'record'>,
  studies: readonly Study[],
): ResolvedExperiment | undefined {
  if (!record.inputs) return undefined;
  try {
    return resolveExperiment(inputsOf(record), studies);
  } catch (error) {
    // Another version of topo-bench has written it. The figures are there all the same.
    if (error instanceof TopoBenchError) return undefined;
    throw error;
  }
}
