/** The CSV with published figures that `--published` asks for. */
import { dirname, resolve } from 'node:path';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { note } from '../../output.ts';

/** The file that the flag names, or else the one that the experiment names. */
export function publishedFile(
  flag: string | true | undefined,
  { experiment, inputs }: ResolvedExperiment,
): string | undefined {
  if (flag === undefined || typeof flag === 'string') return flag;
  if (experiment.published !== undefined) return resolve(dirname(inputs.experiment.file), experiment.published);
  note('warning: --published shows nothing: the experiment names no published figures');
  return undefined;
}
