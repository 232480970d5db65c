/** The work of `run` in stages: resolve, measure, present, exit code. Each stage loads its code when it begins. */
import type { Backend } from '@topo-bench/trial';
import type { RunFlags } from './options.ts';

export function action(experiment: string | undefined, flags: RunFlags): Promise<void> {
  return runOn(undefined, experiment, flags);
}

/** @param backend undefined: the one of real processes */
export async function runOn(
  backend: Backend | undefined,
  experiment: string | undefined,
  flags: RunFlags,
): Promise<void> {
  const { resolveRun } = await import('./resolve-run.ts');
  const resolved = await resolveRun(experiment, flags);
  const { publishedFile } = await import('./published-file.ts');
  const published = await publishedFile(flags.published, resolved);
  if (flags.dryRun) {
    const { dryRun } = await import('./dry-run.ts');
    return dryRun(resolved, flags, backend);
  }
  const { measureRun } = await import('./measure-run.ts');
  const result = await measureRun(resolved, flags, backend);
  const { presentRun } = await import('./present-run.ts');
  await presentRun(result, { published, json: flags.json ?? false });
  const { checkValidity } = await import('./valid-repetitions.ts');
  checkValidity(result);
}
