/** Asks the runners of an experiment about their cells, before anything is started or written. */
import { type RunnerName, shortFactorName, TopoBenchError } from '@topo-bench/core';
import type { DeploymentPlan } from '@topo-bench/deployment';
import { noticesOf, type RunnerNamed, requireRunner } from '@topo-bench/runners';
import type { ExperimentCell } from '@topo-bench/trial';

/**
 * Checks each runner with the plans of its cells. When some runners can deploy theirs, the hint names the choice that
 * leaves the others out.
 * @throws TopoBenchError with the code of the first problem; its message lists the problems of all runners
 */
export async function requireRunners(cells: readonly ExperimentCell[], runnerNamed: RunnerNamed): Promise<void> {
  const plansOf = plansByRunner(cells);
  const names = [...plansOf.keys()];
  const problems = new Map<RunnerName, TopoBenchError>();
  for (const [name, plans] of plansOf) {
    try {
      await requireRunner(await runnerNamed(name), plans);
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      problems.set(name, error);
    }
  }
  const [first] = problems.values();
  if (first) throw names.length === 1 ? first : missingRunners(problems, names, cells, first);
}

/** Parts of the topology that a runner does not apply, one sentence each. With several runners, each names its own. */
export async function noticesOfCells(cells: readonly ExperimentCell[], runnerNamed: RunnerNamed): Promise<string[]> {
  const plansOf = plansByRunner(cells);
  const notices = await Promise.all(
    [...plansOf].map(async ([name, plans]) => {
      const own = await noticesOf(await runnerNamed(name), plans);
      return plansOf.size === 1 ? own : own.map((notice) => `runner ${name}: ${notice}`);
    }),
  );
  return notices.flat();
}

function plansByRunner(cells: readonly ExperimentCell[]): Map<RunnerName, DeploymentPlan[]> {
  const plans = new Map<RunnerName, Set<DeploymentPlan>>();
  for (const { settings, plan } of cells) {
    plans.set(settings.runner, (plans.get(settings.runner) ?? new Set()).add(plan));
  }
  return new Map([...plans].map(([name, found]) => [name, [...found]]));
}

function missingRunners(
  problems: ReadonlyMap<RunnerName, TopoBenchError>,
  names: readonly RunnerName[],
  [cell]: readonly ExperimentCell[],
  first: TopoBenchError,
): TopoBenchError {
  const message = [...problems].map(([name, problem]) => `runner ${name}: ${problem.message}`).join('\n');
  const present = names.filter((name) => !problems.has(name));
  const factor = Object.keys(cell?.levels ?? {}).find((name) => shortFactorName(name) === 'runner');
  const leaveOut =
    factor !== undefined && present.length > 0 ? [`leave it out with --only ${factor}=${present.join(',')}`] : [];
  const hint = [...new Set([...problems.values()].flatMap(({ hint }) => hint ?? [])), ...leaveOut].join('; or ');
  return new TopoBenchError(first.code, message, { ...(hint !== '' && { hint }), cause: first });
}
