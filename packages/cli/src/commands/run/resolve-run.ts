/** The first stage of `run`: an experiment file, or the record of a run to resume, resolved to cells. */
import { formatLocation, TopoBenchError } from '@topo-bench/core';
import { readInputs } from '@topo-bench/experiment/read-inputs';
import { type ResolvedExperiment, resolveExperiment } from '@topo-bench/experiment/resolve-experiment';
import { studies } from '@topo-bench/studies';
import { choicesOf } from '../../choices.ts';
import { note } from '../../output.ts';
import { findFile } from '../../shipped-files.ts';
import type { RunFlags } from './options.ts';
import { requireNoChoices, requireResumeFor } from './resume-flags.ts';

/** Prints the warnings of the experiment. */
export async function resolveRun(experiment: string | undefined, flags: RunFlags): Promise<ResolvedExperiment> {
  requireResumeFor(flags);
  const resolved = await (flags.resume === undefined
    ? resolveFile(experiment, flags)
    : resolveRecorded(experiment, flags.resume, flags));
  for (const { message, ...place } of resolved.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  return resolved;
}

async function resolveFile(experiment: string | undefined, flags: RunFlags): Promise<ResolvedExperiment> {
  if (experiment === undefined) {
    throw new TopoBenchError('TB_USAGE', 'run needs an experiment: got none', {
      hint: 'name a file or a shipped experiment, e.g. topo-bench run quickstart',
    });
  }
  return resolveExperiment(await readInputs(await findFile('experiments', experiment), choicesOf(flags)), studies);
}

async function resolveRecorded(
  experiment: string | undefined,
  folder: string,
  flags: RunFlags,
): Promise<ResolvedExperiment> {
  if (experiment !== undefined) {
    const message = `--resume takes the experiment from ${folder}: got ${experiment} as well, expected none`;
    throw new TopoBenchError('TB_USAGE', message, { hint: `leave it out: topo-bench run --resume ${folder}` });
  }
  requireNoChoices(flags);
  const [{ openRun }, { inputsOf }, { withSecrets }] = await Promise.all([
    import('@topo-bench/results/run-folder'),
    import('@topo-bench/experiment/run-record'),
    import('@topo-bench/experiment/stored-secrets'),
  ]);
  const { record } = await openRun(folder);
  if (record.sideBySide) {
    throw new TopoBenchError('TB_USAGE', `cannot resume ${folder}: it is one side of a side-by-side gate`, {
      hint: 'measure both sides again with `topo-bench gate --experiment`',
    });
  }
  return resolveExperiment(await withSecrets(inputsOf(record)), studies);
}
