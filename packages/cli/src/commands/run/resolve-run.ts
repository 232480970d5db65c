/** The first stage of `run`: an experiment file, or the record of a run to resume, on the workbench. */
import { formatLocation, TopoBenchError } from '@topo-bench/core';
import { open, reopen, type Workbench } from '@topo-bench/workbench';
import { choicesOf } from '../../choices.ts';
import { requireOneRunner } from '../../one-runner.ts';
import { note } from '../../output.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import { givenOf, requireStudyOf, withStudyChoices } from '../../study-flags.ts';
import { requireUsed } from '../../used-options.ts';
import type { RunFlags } from './options.ts';
import { requireNoChoices, requireResumeFor, requireSearchFor } from './resume-flags.ts';

/** Prints the warnings of the experiment. @throws TopoBenchError for problems of flags and files */
export async function resolveRun(experiment: string | undefined, flags: RunFlags): Promise<Workbench> {
  requireResumeFor(flags);
  const bench = await (flags.resume === undefined
    ? openFile(experiment, flags)
    : openRecorded(experiment, flags.resume, flags));
  const { cells, warnings } = bench.resolved;
  requireUsed(cells, flags);
  requireSearchFor(flags, bench.search);
  for (const { message, ...place } of warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  return bench;
}

async function openFile(experiment: string | undefined, flags: RunFlags): Promise<Workbench> {
  if (experiment === undefined) {
    const { long: greedy } = givenOf(flags).find(({ variadic }) => variadic) ?? {};
    const hint = greedy
      ? `name it before ${greedy}, which takes all words after it: topo-bench run EXPERIMENT ${greedy} …`
      : 'name a file or a shipped experiment, e.g. topo-bench run quickstart';
    throw new TopoBenchError('TB_USAGE', 'run needs an experiment: got none', { hint });
  }
  const choices = withStudyChoices(choicesOf(flags), flags);
  const bench = await open({ experiment: await findFile('experiments', experiment) }, choices);
  requireOneRunner(flags.runner, bench.inputs.experiment);
  requireStudyOf(flags, bench.inputs.experiment);
  return flags.findMax === undefined ? bench : bench.searching(flags.findMax, '--find-max');
}

async function openRecorded(experiment: string | undefined, folder: string, flags: RunFlags): Promise<Workbench> {
  if (experiment !== undefined) {
    const message = `--resume takes the experiment from ${folder}: got ${experiment} as well, expected none`;
    throw new TopoBenchError('TB_USAGE', message, { hint: `leave it out: topo-bench run --resume ${folder}` });
  }
  requireNoChoices(flags);
  return reopen(folder, { repetitions: flags.repetitions, serverUrls: serverUrlsOf(flags) });
}
