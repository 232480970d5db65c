/** The plan of a round: groups of deployments, and the consecutive loads of each group. */
import { describeCell, TopoBenchError } from '@topo-bench/core';
import type { Effort, ExperimentCell } from '@topo-bench/trial';
import { comparedFactor } from './compared-cells.ts';
import { roundOrder } from './round-order.ts';

/** The backend's limits on what is deployed at the same time. */
export type Limits = Pick<Effort, 'maxProcessesOf'>;

/** Deployments that run at the same time: one, or several with `deploy: interleaved`. */
export interface DeployedGroup {
  members: readonly ExperimentCell[];
  /** Consecutive loads; the cells of one load are measured at the same time. */
  loads: readonly (readonly ExperimentCell[])[];
}

/**
 * Groups, loads and their cells in an order shuffled by seed and round.
 * @throws TopoBenchError `TB_EXPERIMENT_TOO_MANY_PROCESSES`
 */
export function roundPlan(
  cells: readonly ExperimentCell[],
  limits: Limits,
  seed: number,
  round: number,
): DeployedGroup[] {
  const groupOf = groupNames(cells, limits);
  return roundOrder(cells, (cell) => groupOf.get(cell) as string, seed, round).map(({ members }) => ({
    members,
    loads: loadsOf(members),
  }));
}

/** Cells that differ only in their deployment share a load; different loads are consecutive. */
function loadsOf(members: readonly ExperimentCell[]): ExperimentCell[][] {
  const loads = new Map<string, ExperimentCell[]>();
  for (const cell of members) {
    const key = cell.settings.deploy === 'interleaved' ? loadKey(cell) : `${loads.size}`;
    loads.set(key, [...(loads.get(key) ?? []), cell]);
  }
  return [...loads.values()];
}

/** Equal for cells whose load is the same. */
export function loadKey({ settings: { load, duration, drain, turns, seed } }: ExperimentCell): string {
  return JSON.stringify([load, duration, drain, turns, seed]);
}

/**
 * Names the group of every cell: cells of one group are deployed at the same time. Runners can share a machine, so the
 * smallest limit of the runners in a group applies to all its processes.
 * @throws TopoBenchError `TB_EXPERIMENT_TOO_MANY_PROCESSES`
 */
export function groupNames(cells: readonly ExperimentCell[], { maxProcessesOf }: Limits): Map<ExperimentCell, string> {
  const names = new Map(cells.map((cell) => [cell, cell.deployment]));
  const interleaved = cells.filter(({ settings }) => settings.deploy === 'interleaved');
  let group = 0;
  let together: ExperimentCell[] = [];
  for (const setting of settingsOf(interleaved)) {
    const limit = Math.min(...setting.map(maxProcessesOf));
    const own = processesOf(setting);
    if (own > limit) throw tooMany(setting, own, limit);
    const all = [...together, ...setting];
    if (together.length > 0 && processesOf(all) > Math.min(...all.map(maxProcessesOf))) {
      group++;
      together = [];
    }
    together.push(...setting);
    for (const cell of setting) names.set(cell, `interleaved ${group}`);
  }
  return names;
}

/** The cells of every deployment, without duplicates. */
export function processesOf(cells: readonly ExperimentCell[]): number {
  const sizes = new Map(cells.map(({ deployment, plan }) => [deployment, plan.roles.length]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Cells that differ only in the compared factor or in their load. They stay in one group because they are compared. */
function settingsOf(cells: readonly ExperimentCell[]): ExperimentCell[][] {
  const compared = comparedFactor(cells.map(({ levels }) => levels));
  const loadOnly = (factor: string): boolean => /^(rate|load|warmup|duration|drain|turns|validity)(\.|$)/.test(factor);
  const settings = new Map<string, ExperimentCell[]>();
  for (const cell of cells) {
    const others = Object.entries(cell.levels).filter(([factor]) => factor !== compared && !loadOnly(factor));
    const key = JSON.stringify(others);
    settings.set(key, [...(settings.get(key) ?? []), cell]);
  }
  return [...settings.values()];
}

function tooMany(cells: readonly ExperimentCell[], processes: number, limit: number): TopoBenchError {
  const [first] = cells as [ExperimentCell];
  return new TopoBenchError(
    'TB_EXPERIMENT_TOO_MANY_PROCESSES',
    `\`deploy: interleaved\` would run ${processes} processes at once for ${describeCell(first.levels)} and the levels compared with it, expected at most ${limit} with the runner ${first.settings.runner}`,
    { hint: 'narrow the levels with --only, lower `services`, or choose `deploy: round`' },
  );
}
