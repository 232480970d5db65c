/** Estimates time and memory of a run. `run --dry-run` prints it, and progress starts from it. */
import { groupedBy } from '@topo-bench/core';
import type { Effort, ExperimentCell, TimeEstimate } from '@topo-bench/trial';
import { maxRemeasured } from './remeasure.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { groupNames, loadKey } from './round-plan.ts';

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

/** Cells that are deployed at the same time. */
interface Group {
  cells: readonly ExperimentCell[];
  deploy: TimeEstimate;
  processes: number;
}

/**
 * @param effort of the backend
 * @param open cells of the repetitions to measure, one entry for each; default: all repetitions of all cells
 * @throws TopoBenchError `TB_EXPERIMENT_TOO_MANY_PROCESSES`
 */
export function estimateRun(
  { cells, experiment }: ResolvedExperiment,
  effort: Effort,
  open?: readonly ExperimentCell[],
): RunEstimate {
  const groups = groupsOf(cells, effort);
  const groupOf = (cell: ExperimentCell): Group => groups.get(cell) as Group;
  const secondsOf = (cell: ExperimentCell): number => {
    const { deploy, cells: sharing } = groupOf(cell);
    const { seconds, sharedSeconds } = effort.loadTime(cell);
    const shared = cell.settings.deploy === 'interleaved' ? sharedSeconds * (1 - 1 / loadSize(cell, sharing)) : 0;
    return seconds - shared + deploy.seconds / sharing.length;
  };
  const maxSecondsOf = (cell: ExperimentCell, sharing = groupOf(cell).cells.length): number =>
    effort.loadTime(cell).maxSeconds + groupOf(cell).deploy.maxSeconds / sharing;
  const { repetitions, validity } = experiment;
  const counted = open ?? Array.from({ length: repetitions }, () => cells).flat();
  const sum = (of: (cell: ExperimentCell) => number): number => counted.reduce((total, cell) => total + of(cell), 0);
  const remeasured = maxRemeasured(cells.length * repetitions, validity.remeasure);
  // Only scheduled requests can leave late. Each remeasurement has a deployment of its own.
  const scheduled = cells.filter(({ settings }) => settings.load.driver === 'open');
  const remeasureSeconds = remeasured * Math.max(0, ...scheduled.map((cell) => maxSecondsOf(cell, 1)));
  const processes = Math.max(0, ...cells.map((cell) => groupOf(cell).processes));
  const once = effort.onceTime(cells);
  return {
    secondsOf,
    processesOf: (cell) => effort.processesOf([cell]),
    onceSeconds: once.seconds,
    seconds: sum(secondsOf) + once.seconds,
    maxSeconds: sum((cell) => maxSecondsOf(cell)) + remeasureSeconds + once.maxSeconds,
    processes,
    memoryBytes: processes * effort.bytesPerProcess,
  };
}

function groupsOf(cells: readonly ExperimentCell[], effort: Effort): Map<ExperimentCell, Group> {
  const names = groupNames(cells, effort);
  const groups = [...groupedBy(cells, (cell) => names.get(cell)).values()].map(
    (members): Group => ({
      cells: members,
      deploy: effort.deployTime(members),
      processes: effort.processesOf(members),
    }),
  );
  return new Map(groups.flatMap((group) => group.cells.map((cell) => [cell, group] as const)));
}

/** Number of cells that share one load. */
function loadSize(cell: ExperimentCell, group: readonly ExperimentCell[]): number {
  return group.filter((other) => loadKey(other) === loadKey(cell)).length;
}
