/** What a runner cannot deploy of some plans, and what it does not apply, before anything is started or written. */
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

/** Notices of the runner, each once, in the order of the plans. */
export async function noticesOf(runner: Runner, plans: readonly DeploymentPlan[]): Promise<string[]> {
  const found = new Set<string>();
  for (const plan of plans) for (const notice of (await runner.notices?.(plan)) ?? []) found.add(notice);
  return [...found];
}
