/** Rejects plans that a runner cannot deploy, before anything is started or written. */
import { TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import type { Runner, RunnerProblem } from './runner.ts';

/** @throws TopoBenchError with the code and the hint of the first problem; its message lists all of them */
export async function requireRunner(runner: Runner, plans: readonly DeploymentPlan[]): Promise<void> {
  const found = new Map<string, RunnerProblem>();
  for (const plan of plans) for (const problem of await runner.check(plan)) found.set(problem.message, problem);
  const [first] = found.values();
  if (!first) return;
  const hint = first.hint === undefined ? {} : { hint: first.hint };
  throw new TopoBenchError(first.code, [...found.keys()].join('\n'), hint);
}
