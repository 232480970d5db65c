/** Estimates time and memory of a run. `run --dry-run` prints it, and progress starts from it. */
import { durationInTurnsUs } from '@topo-bench/workload';
import { bytesPerProcess } from './process-limit.ts';
import { maxRemeasured } from './remeasure.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { groupNames, loadKey } from './round-plan.ts';
import type { ExperimentCell, RepetitionSize } from './study.ts';
import {
  estimateDeploySeconds,
  estimateLoadSeconds,
  loadOverheadSeconds,
  maxSeconds,
  repetitionSize,
} from './time-estimate.ts';

export interface RunEstimate {
  /** Seconds of one repetition of that cell, including its share of the deployment. */
  secondsOf(cell: ExperimentCell): number;
  /** Processes, containers or pods of one repetition of that cell. */
  processesOf(cell: ExperimentCell): number;
  /** Seconds of what the run does once, e.g. loads of tables; part of `seconds`. */
  onceSeconds: number;
  seconds: number;
  /** Upper limit: every warm-up and every drain times out, and the max number of repetitions is remeasured. */
  maxSeconds: number;
  /** Max number of processes at the same time. */
  processes: number;
  memoryBytes: number;
}

/** The upper limit is that of a machine this many times slower. */
const onceSlowest = 4;

/** Cells that are deployed at the same time, with the joint size of their deployments. */
interface Group {
  cells: ExperimentCell[];
  size: RepetitionSize;
}

/**
 * @param open cells of the repetitions to measure, one entry for each; default: all repetitions of all cells
 * @throws TopoBenchError `TB_EXPERIMENT_TOO_MANY_PROCESSES`
 */
export function estimateRun({ cells, experiment }: ResolvedExperiment, open?: readonly ExperimentCell[]): RunEstimate {
  const groups = groupsOf(cells);
  const groupOf = (cell: ExperimentCell): Group => groups.get(cell) as Group;
  const secondsOf = (cell: ExperimentCell): number => {
    const { size, cells: sharing } = groupOf(cell);
    const shared = cell.settings.deploy === 'interleaved' ? loadOverheadSeconds * (1 - 1 / loadSize(cell, sharing)) : 0;
    return estimateLoadSeconds(sizeOf(cell)) - shared + estimateDeploySeconds(size) / sharing.length;
  };
  const maxSecondsOf = (cell: ExperimentCell, sharing = groupOf(cell).cells.length): number => {
    const { deploy } = maxSeconds(groupOf(cell).size);
    return maxSeconds(sizeOf(cell)).load + deploy / sharing;
  };
  const { repetitions, validity } = experiment;
  const counted = open ?? Array.from({ length: repetitions }, () => cells).flat();
  const sum = (of: (cell: ExperimentCell) => number): number => counted.reduce((total, cell) => total + of(cell), 0);
  const remeasured = maxRemeasured(cells.length * repetitions, validity.remeasure);
  // Only scheduled requests can leave late. Each remeasurement has a deployment of its own.
  const scheduled = cells.filter(({ settings }) => settings.load.driver === 'open');
  const remeasureSeconds = remeasured * Math.max(0, ...scheduled.map((cell) => maxSecondsOf(cell, 1)));
  const processes = Math.max(0, ...cells.map((cell) => groupOf(cell).size.processes));
  const onceSeconds = cells[0]?.study.onceSeconds?.(cells) ?? 0;
  return {
    secondsOf,
    processesOf: (cell) => repetitionSize(cell).processes,
    onceSeconds,
    seconds: sum(secondsOf) + onceSeconds,
    maxSeconds: sum((cell) => maxSecondsOf(cell)) + remeasureSeconds + onceSlowest * onceSeconds,
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

/** Number of cells that share one load. */
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

/** With turns, the gaps between slices extend the load. */
function sizeOf(cell: ExperimentCell): RepetitionSize {
  const size = repetitionSize(cell);
  const { deploy, turns } = cell.settings;
  if (deploy !== 'interleaved') return size;
  return { ...size, durationUs: durationInTurnsUs(size.durationUs, 1, { sliceUs: turns.slice, gapUs: turns.gap }) };
}
