/** The middle stage of `run`: deploys, measures and records every cell, with progress on standard error. */
import { join } from 'node:path';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import type { RunOptions, RunResult } from '@topo-bench/experiment/run-experiment';
import { measuredBackend } from '@topo-bench/measured/backend';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { runnersWith } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { Backend } from '@topo-bench/trial';
import { interruptible } from '../../interrupt.ts';
import { noteLeftovers } from '../../leftovers.ts';
import { runnerOptionsOf } from '../../runner-option.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { version } from '../../version.ts';
import type { RunFlags } from './options.ts';
import { RunProgress } from './run-progress.ts';

export async function measureRun(resolved: ResolvedExperiment, flags: RunFlags, backend?: Backend): Promise<RunResult> {
  const folder = flags.resume ?? flags.out ?? defaultRunFolder(resolved.experiment.name, new Date());
  const [cell] = resolved.cells;
  const progress = new RunProgress(process.stderr, (entry) => cell?.study.figures(entry) ?? [], { quiet: flags.quiet });
  try {
    return await interruptible(async (signal) => {
      const names = [...new Set(resolved.cells.map(({ settings }) => settings.runner))];
      await Promise.all(names.map((name) => noteLeftovers(name, flags)));
      return measured(resolved, flags, {
        folder,
        resume: flags.resume !== undefined,
        version: version(),
        command: process.argv.slice(2),
        backend: backend ?? backendOf(flags, join(folder, 'logs')),
        serverUrls: serverUrlsOf(flags),
        allowOtherServers: flags.allowOtherServers,
        onEvent: (event) => progress.onEvent(event),
        signal,
      });
    }, 'interrupted: tearing down, finished repetitions are kept');
  } finally {
    progress.close();
  }
}

function backendOf(flags: RunFlags, logsDir: string): Backend {
  const runnerOptions = runnerOptionsOf(flags);
  return measuredBackend({
    studies,
    runnerNamed: runnersWith(runnerOptions),
    logsDir,
    serverUrls: serverUrlsOf(flags),
    flinkUrl: flags.flinkUrl,
    runnerOptions,
  });
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
