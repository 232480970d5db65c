/** `run --dry-run`: prints the cells of an experiment and their cost without starting a process. */
import { formatBytes } from '@topo-bench/core';
import { describeCell, estimateRun } from '@topo-bench/experiment';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import { formatSeconds } from '../../format-seconds.ts';
import { printJson, printLine } from '../../output.ts';

export function dryRun(resolved: ResolvedExperiment, { json }: { json?: boolean }): void {
  const estimate = estimateRun(resolved);
  const { repetitions, name } = resolved.experiment;
  const cells = resolved.cells.map((cell) => ({
    factors: cell.levels,
    processes: cell.plan.roles.length,
    estimatedSeconds: Math.round(estimate.secondsOf(cell)),
  }));
  const { seconds, maxSeconds, memoryBytes, processes } = estimate;
  if (json) {
    printJson({
      name,
      repetitions,
      cells,
      estimatedSeconds: Math.round(seconds),
      longestSeconds: Math.round(maxSeconds),
      memoryBytes,
    });
    return;
  }
  for (const { factors, processes: count, estimatedSeconds } of cells) {
    printLine(`${describeCell(factors)}: ${count} processes, about ${formatSeconds(estimatedSeconds)} a repetition`);
  }
  printLine();
  printLine(
    `${cells.length} cells × ${repetitions} repetitions: about ${formatSeconds(seconds)}, at most ${formatSeconds(maxSeconds)}`,
  );
  printLine(`memory: up to about ${formatBytes(memoryBytes)} for ${processes} processes at once`);
}
