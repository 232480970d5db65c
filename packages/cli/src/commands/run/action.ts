/** The work of `run`: resolve, measure with progress, and end with the table, the report and an exit code. */
import { join } from 'node:path';
import { formatError, formatLocation, TopoBenchError } from '@topo-bench/core';
import {
  inputsOf,
  measuredBackend,
  type ResolvedExperiment,
  type RunResult,
  readInputs,
  resolveExperiment,
  runExperiment,
  withSecrets,
} from '@topo-bench/experiment';
import { defaultRunFolder, openRun } from '@topo-bench/results';
import { createRunner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { serviceEntry } from '../../built-files.ts';
import { choicesOf } from '../../choices.ts';
import { interruptible } from '../../interrupt.ts';
import { note, printJson } from '../../output.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import { version } from '../../version.ts';
import { dryRun } from './dry-run.ts';
import type { RunFlags } from './options.ts';
import { presentRun, publishedFile } from './present-run.ts';
import { requireNoChoices, requireResumeFor } from './resume-flags.ts';
import { RunProgress } from './run-progress.ts';
import { cellsWithoutValidRepetition, noValidRepetition } from './valid-repetitions.ts';

export async function action(experiment: string | undefined, flags: RunFlags): Promise<void> {
  requireResumeFor(flags);
  const resolved =
    flags.resume === undefined ? await resolve(experiment, flags) : await resolveRecorded(experiment, flags.resume, flags);
  for (const { message, ...place } of resolved.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  if (flags.dryRun) return dryRun(resolved, flags);
  const published = await publishedFile(flags.published, resolved);
  const result = await measure(resolved, flags);
  const { cells, folder } = result;
  if (flags.json) printJson({ runDir: folder, cells });
  await presentRun(result, { published, quiet: flags.json ?? false });
  const without = cellsWithoutValidRepetition(result.record.plannedCells, cells);
  if (without.length === 0) return;
  // Printed instead of thrown: standard output already carries its one document.
  const error = noValidRepetition(without);
  note(formatError(error));
  process.exitCode = error.exitCode;
}

async function resolve(experiment: string | undefined, flags: RunFlags): Promise<ResolvedExperiment> {
  if (experiment === undefined) {
    throw new TopoBenchError('TB_USAGE', 'run needs an experiment: got none', {
      hint: 'name a file or a shipped experiment, e.g. topo-bench run quickstart',
    });
  }
  return resolveExperiment(await readInputs(await findFile('experiments', experiment), choicesOf(flags)), studies);
}

async function resolveRecorded(experiment: string | undefined, folder: string, flags: RunFlags): Promise<ResolvedExperiment> {
  if (experiment !== undefined) {
    throw new TopoBenchError(
      'TB_USAGE',
      `--resume takes the experiment from ${folder}: got ${experiment} as well, expected none`,
      {
        hint: `leave it out: topo-bench run --resume ${folder}`,
      },
    );
  }
  requireNoChoices(flags);
  const { record } = await openRun(folder);
  if (record.sideBySide) {
    throw new TopoBenchError('TB_USAGE', `cannot resume ${folder}: it is one side of a side-by-side gate`, {
      hint: 'measure both sides again with `topo-bench gate --experiment`',
    });
  }
  return resolveExperiment(await withSecrets(inputsOf(record)), studies);
}

async function measure(resolved: ResolvedExperiment, flags: RunFlags): Promise<RunResult> {
  const folder = flags.resume ?? flags.out ?? defaultRunFolder(resolved.experiment.name, new Date());
  const runner = await createRunner(resolved.experiment.runner, { serviceEntry: serviceEntry() });
  const [cell] = resolved.cells;
  const progress = new RunProgress(process.stderr, (entry) => cell?.study.figures(entry) ?? []);
  const serverUrls = serverUrlsOf(flags);
  try {
    return await interruptible(
      (signal) =>
        runExperiment(resolved, {
          folder,
          resume: flags.resume !== undefined,
          version: version(),
          command: process.argv.slice(2),
          backend: measuredBackend({ runner, logsDir: join(folder, 'logs'), serverUrls }),
          serverUrls,
          allowOtherServers: flags.allowOtherServers,
          onEvent: (event) => progress.onEvent(event),
          signal,
        }),
      'interrupted: tearing down, finished repetitions are kept',
    );
  } finally {
    progress.close();
  }
}
