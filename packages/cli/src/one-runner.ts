/** `--runner` names one runner for all cells, so the runner must not be a factor of the experiment. */
import { factorNamed, type RunnerName, TopoBenchError } from '@topo-bench/core';
import { parseSource, type SourceText } from '@topo-bench/topology';

/**
 * @param runner value of the flag; undefined without it
 * @throws TopoBenchError `TB_USAGE`
 */
export function requireOneRunner(runner: RunnerName | undefined, experiment: SourceText): void {
  if (runner === undefined) return;
  const { factors } = (parseSource(experiment).value ?? {}) as { factors?: Record<string, unknown> | null };
  const factor = factorNamed('runner', Object.keys(factors ?? {}));
  if (factor === undefined) return;
  const levels = [factors?.[factor]].flat().join(', ');
  const message = `--runner ${runner}: the runner is a factor of ${experiment.file}, with the levels ${levels}`;
  throw new TopoBenchError('TB_USAGE', message, { hint: `choose among its levels: --only ${factor}=${runner}` });
}
