/** What a run will cost, before it begins: `run --dry-run` prints it and progress starts from it. */
import type { ExperimentCell } from './build-cell.ts';
import { mostMeasuredAgain } from './measure-again.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { estimateDeploySeconds, estimateLoadSeconds, longestSeconds, repetitionSize } from './time-estimate.ts';

export interface RunEstimate {
  /** Of one repetition of that cell, its share of the deployment included. */
  secondsOf(cell: ExperimentCell): number;
  seconds: number;
  /** If every warm-up and every drain reached its bound, and as many repetitions as may be were measured again. */
  longestSeconds: number;
  /** Of the largest deployment. */
  processes: number;
  memoryBytes: number;
}

/** What one process takes after load. */
const bytesPerProcess = 60 * 1024 ** 2;

export function estimateRun({ cells, experiment }: ResolvedExperiment): RunEstimate {
  const sharedBy = new Map<string, number>();
  for (const { deployment } of cells) sharedBy.set(deployment, (sharedBy.get(deployment) ?? 0) + 1);
  const shares = (cell: ExperimentCell): number => sharedBy.get(cell.deployment) ?? 1;
  const secondsOf = (cell: ExperimentCell): number => {
    const size = repetitionSize(cell);
    return estimateLoadSeconds(size) + estimateDeploySeconds(size) / shares(cell);
  };
  const longestOf = (cell: ExperimentCell, sharing = shares(cell)): number => {
    const { deploy, load } = longestSeconds(repetitionSize(cell));
    return load + deploy / sharing;
  };
  const { repetitions, validity } = experiment;
  const sum = (of: (cell: ExperimentCell) => number): number => cells.reduce((total, cell) => total + of(cell), 0) * repetitions;
  const again = mostMeasuredAgain(cells.length * repetitions, validity.remeasure);
  // Only where requests have a time to leave at can they leave late; each on a deployment of its own.
  const scheduled = cells.filter(({ settings }) => settings.load.driver === 'open');
  const longestAgain = again * Math.max(0, ...scheduled.map((cell) => longestOf(cell, 1)));
  const processes = Math.max(0, ...cells.map(({ plan }) => plan.roles.length));
  return {
    secondsOf,
    seconds: sum(secondsOf),
    longestSeconds: sum((cell) => longestOf(cell)) + longestAgain,
    processes,
    memoryBytes: processes * bytesPerProcess,
  };
}
