/** The middle stage of `run`: deploys, measures and records every cell, with progress on standard error. */
import { join } from 'node:path';
import { measuredBackend } from '@topo-bench/experiment/measured-backend';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { type RunResult, runExperiment } from '@topo-bench/experiment/run-experiment';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import { createRunner } from '@topo-bench/runners';
import { serviceEntry } from '../../built-files.ts';
import { interruptible } from '../../interrupt.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { version } from '../../version.ts';
import type { RunFlags } from './options.ts';
import { RunProgress } from './run-progress.ts';

export async function measureRun(resolved: ResolvedExperiment, flags: RunFlags): Promise<RunResult> {
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
