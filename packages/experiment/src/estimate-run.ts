/** What a run will cost, before it begins: `run --dry-run` prints it and progress starts from it. */
import { durationInTurnsUs } from '@topo-bench/loadgen/turns';
import type { ExperimentCell } from './build-cell.ts';
import { bytesPerProcess } from './process-limit.ts';
import { maxRemeasured } from './remeasure.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { groupNames, loadKey } from './round-plan.ts';
import {
  estimateDeploySeconds,
  estimateLoadSeconds,
  loadOverheadSeconds,
  longestSeconds,
  type RepetitionSize,
  repetitionSize,
} from './time-estimate.ts';

export interface RunEstimate {
  /** Of one repetition of that cell, its share of the deployment included. */
  secondsOf(cell: ExperimentCell): number;
  seconds: number;
  /** If every warm-up and every drain reached its bound, and as many repetitions as allowed were remeasured. */
  longestSeconds: number;
  /** Most that run at once. */
  processes: number;
  memoryBytes: number;
}

/** Cells that are deployed at the same time, and their deployments as one. */
interface Group {
  cells: ExperimentCell[];
  size: RepetitionSize;
}

/** @throws TopoBenchError `TB_EXPERIMENT_TOO_MANY_PROCESSES` */
export function estimateRun({ cells, experiment }: ResolvedExperiment): RunEstimate {
  const groups = groupsOf(cells);
  const groupOf = (cell: ExperimentCell): Group => groups.get(cell) as Group;
  const secondsOf = (cell: ExperimentCell): number => {
    const { size, cells: sharing } = groupOf(cell);
    const shared = cell.settings.deploy === 'interleaved' ? loadOverheadSeconds * (1 - 1 / loadSize(cell, sharing)) : 0;
    return estimateLoadSeconds(sizeOf(cell)) - shared + estimateDeploySeconds(size) / sharing.length;
  };
  const longestOf = (cell: ExperimentCell, sharing = groupOf(cell).cells.length): number => {
    const { deploy } = longestSeconds(groupOf(cell).size);
    return longestSeconds(sizeOf(cell)).load + deploy / sharing;
  };
  const { repetitions, validity } = experiment;
  const sum = (of: (cell: ExperimentCell) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0) * repetitions;
  const remeasured = maxRemeasured(cells.length * repetitions, validity.remeasure);
  // Only where requests have a time to leave at can they leave late; each on a deployment of its own.
  const scheduled = cells.filter(({ settings }) => settings.load.driver === 'open');
  const remeasureSeconds = remeasured * Math.max(0, ...scheduled.map((cell) => longestOf(cell, 1)));
  const processes = Math.max(0, ...cells.map((cell) => groupOf(cell).size.processes));
  return {
    secondsOf,
    seconds: sum(secondsOf),
    longestSeconds: sum((cell) => longestOf(cell)) + remeasureSeconds,
    processes,
    memoryBytes: processes * bytesPerProcess,
  };
}

function groupsOf(cells: readonly ExperimentCell[]): Map<ExperimentCell, Group> {
  const names = groupNames(cells);
  const byName = new Map<string, ExperimentCell[]>();
  for (const cell of cells) {
    const name = names.get(cell) as string;
    byName.set(name, [...(byName.get(name) ?? []), cell]);
  }
  const groups = [...byName.values()].map((members): Group => ({ cells: members, size: jointSize(members) }));
  return new Map(groups.flatMap((group) => group.cells.map((cell) => [cell, group] as const)));
}

/** How many cells share one load with a cell. */
function loadSize(cell: ExperimentCell, group: readonly ExperimentCell[]): number {
  return group.filter((other) => loadKey(other) === loadKey(cell)).length;
}

/** Deployments of a group start and warm up together: their processes and hops add up. */
function jointSize(members: readonly ExperimentCell[]): RepetitionSize {
  const deployments = new Map(members.map((cell) => [cell.deployment, repetitionSize(cell)]));
  const sizes = [...deployments.values()];
  const sum = (of: (size: RepetitionSize) => number): number => sizes.reduce((total, size) => total + of(size), 0);
  return {
    ...(sizes[0] as RepetitionSize),
    processes: sum(({ processes }) => processes),
    hops: sum(({ hops }) => hops),
  };
}

/** In turns the gaps between slices add to the load. */
function sizeOf(cell: ExperimentCell): RepetitionSize {
  const size = repetitionSize(cell);
  const { deploy, turns } = cell.settings;
  if (deploy !== 'interleaved') return size;
  return { ...size, durationUs: durationInTurnsUs(size.durationUs, 1, { sliceUs: turns.slice, gapUs: turns.gap }) };
}
