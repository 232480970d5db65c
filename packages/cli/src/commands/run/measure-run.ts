/** The middle stage of `run`: deploys, measures and records every cell, with progress on standard error. */
import { join } from 'node:path';
import { withCapacities } from '@topo-bench/experiment/capacities';
import { withDataRows } from '@topo-bench/experiment/data-rows';
import { measuredBackend } from '@topo-bench/experiment/measured-backend';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import type { RunOptions, RunResult } from '@topo-bench/experiment/run-experiment';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { runnersWith } from '@topo-bench/runners';
import { interruptible } from '../../interrupt.ts';
import { noteLeftovers } from '../../leftovers.ts';
import { runnerOptionsOf } from '../../runner-option.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { version } from '../../version.ts';
import type { RunFlags } from './options.ts';
import { RunProgress } from './run-progress.ts';

export async function measureRun(resolved: ResolvedExperiment, flags: RunFlags): Promise<RunResult> {
  const folder = flags.resume ?? flags.out ?? defaultRunFolder(resolved.experiment.name, new Date());
  const runnerOptions = runnerOptionsOf(flags);
  const runnerNamed = runnersWith(runnerOptions);
  const [cell] = resolved.cells;
  const progress = new RunProgress(process.stderr, (entry) => cell?.study.figures(entry) ?? [], { quiet: flags.quiet });
  const serverUrls = serverUrlsOf(flags);
  try {
    return await interruptible(async (signal) => {
      const names = [...new Set(resolved.cells.map(({ settings }) => settings.runner))];
      const [withCapacity] = await Promise.all([
        withDataRows(resolved).then((known) => withCapacities(known, runnerNamed)),
        ...names.map((name) => noteLeftovers(name, flags)),
      ]);
      return measured(withCapacity, flags, {
        folder,
        resume: flags.resume !== undefined,
        version: version(),
        command: process.argv.slice(2),
        backend: measuredBackend({
          runnerNamed,
          logsDir: join(folder, 'logs'),
          serverUrls,
          flinkUrl: flags.flinkUrl,
          runnerOptions,
        }),
        serverUrls,
        allowOtherServers: flags.allowOtherServers,
        onEvent: (event) => progress.onEvent(event),
        signal,
      });
    }, 'interrupted: tearing down, finished repetitions are kept');
  } finally {
    progress.close();
  }
}

/** Limit on a search for the max rate. */
const defaultMaxTimeUs = 600e6;

/** One stage of two kinds: all planned cells, or those that a search finds. */
async function measured(
  resolved: ResolvedExperiment,
  { findMax, maxTime = defaultMaxTimeUs }: RunFlags,
  options: RunOptions,
): Promise<RunResult> {
  if (findMax === undefined) {
    const { runExperiment } = await import('@topo-bench/experiment/run-experiment');
    return runExperiment(resolved, options);
  }
  const { runFindMax } = await import('@topo-bench/experiment/find-max');
  return runFindMax(resolved, { ...options, condition: findMax, maxTimeUs: maxTime });
}
