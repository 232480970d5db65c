/** What a run will cost, before it begins: `run --dry-run` prints it and progress starts from it. */
import type { ExperimentCell } from './build-cell.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { estimateDeploySeconds, estimateLoadSeconds, longestSeconds, repetitionSize } from './time-estimate.ts';

export interface RunEstimate {
  /** Of one repetition of that cell, its share of the deployment included. */
  secondsOf(cell: ExperimentCell): number;
  seconds: number;
  /** If every warm-up and every drain reached its bound. */
  longestSeconds: number;
  /** Of the largest deployment. */
  processes: number;
  memoryBytes: number;
}

/** What one process takes after load. */
const bytesPerProcess = 60 * 1024 ** 2;

export function estimateRun({ cells, experiment: { repetitions } }: ResolvedExperiment): RunEstimate {
  const sharedBy = new Map<string, number>();
  for (const { deployment } of cells) sharedBy.set(deployment, (sharedBy.get(deployment) ?? 0) + 1);
  const shares = (cell: ExperimentCell): number => sharedBy.get(cell.deployment) ?? 1;
  const secondsOf = (cell: ExperimentCell): number => {
    const size = repetitionSize(cell);
    return estimateLoadSeconds(size) + estimateDeploySeconds(size) / shares(cell);
  };
  const longestOf = (cell: ExperimentCell): number => {
    const { deploy, load } = longestSeconds(repetitionSize(cell));
    return load + deploy / shares(cell);
  };
  const sum = (of: (cell: ExperimentCell) => number): number => cells.reduce((total, cell) => total + of(cell), 0) * repetitions;
  const processes = Math.max(0, ...cells.map(({ plan }) => plan.roles.length));
  return {
    secondsOf,
    seconds: sum(secondsOf),
    longestSeconds: sum(longestOf),
    processes,
    memoryBytes: processes * bytesPerProcess,
  };
}
