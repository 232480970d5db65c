/** The work of `run` in stages: resolve, measure, present, exit code. Each stage loads its code when it begins. */
import type { Backend } from '@topo-bench/trial';
import type { Run } from '@topo-bench/workbench';
import type { RunFlags } from './options.ts';

export function action(experiment: string | undefined, flags: RunFlags): Promise<void> {
  return runOn(undefined, experiment, flags);
}

/**
 * @param backend undefined: the one of real processes
 * @param present what follows the measurement; default: the tables and the report
 */
export async function runOn(
  backend: Backend | undefined,
  experiment: string | undefined,
  flags: RunFlags,
  present?: (run: Run) => Promise<void>,
): Promise<void> {
  const { resolveRun } = await import('./resolve-run.ts');
  const bench = await resolveRun(experiment, flags);
  const { publishedFile } = await import('./published-file.ts');
  const published = await publishedFile(flags.published, bench.resolved);
  if (flags.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(bench, flags, backend);
  }
  const { measureRun } = await import('./measure-run.ts');
  const run = await measureRun(bench, flags, backend);
  if (present) return present(run);
  const { presentRun } = await import('./present-run.ts');
  await presentRun(run, { published, json: flags.json ?? false });
}
