/** The middle stage of `run`: deploys, measures and records every cell, with progress on standard error. */
import type { Backend } from '@topo-bench/trial';
import type { Run, Workbench } from '@topo-bench/workbench';
import { interruptible } from '../../interrupt.ts';
import { noteLeftovers } from '../../leftovers.ts';
import { settingOf } from '../../measuring.ts';
import { RunProgress } from '../../run-progress.ts';
import type { RunFlags } from './options.ts';

export async function measureRun(bench: Workbench, flags: RunFlags, backend?: Backend): Promise<Run> {
  const { cells } = bench;
  const progress = new RunProgress(process.stderr, (entry) => cells[0]?.study.figures(entry) ?? [], {
    quiet: flags.quiet,
  });
  try {
    return await interruptible(async (signal) => {
      // Another backend starts nothing on the runners of the file.
      const names = backend ? [] : [...new Set(cells.map(({ settings }) => settings.runner))];
      await Promise.all(names.map((name) => noteLeftovers(name, flags)));
      return bench.run({
        ...settingOf(flags, backend),
        folder: flags.out,
        allowOtherServers: flags.allowOtherServers,
        maxTimeUs: flags.maxTime,
        onEvent: (event) => progress.onEvent(event),
        signal,
      });
    }, 'interrupted: tearing down, finished repetitions are kept');
  } finally {
    progress.close();
  }
}
