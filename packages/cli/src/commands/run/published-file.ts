/** The CSV file of published figures for `--published`. */
import { dirname, resolve } from 'node:path';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { note } from '../../output.ts';

/** The file of the flag, or else of the experiment. */
export function publishedFile(
  flag: string | true | undefined,
  { experiment, inputs }: ResolvedExperiment,
): string | undefined {
  if (flag === undefined || typeof flag === 'string') return flag;
  if (experiment.published !== undefined) return resolve(dirname(inputs.experiment.file), experiment.published);
  note('warning: --published shows nothing: the experiment names no published figures');
  return undefined;
}
