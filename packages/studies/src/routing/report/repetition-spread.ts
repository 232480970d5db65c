/** The noise floor: the difference between two measurements of the same cell, by deployment mode. */
import type { DeployMode } from '@topo-bench/core/schema/experiment';
import type { RunRecord } from '@topo-bench/core/schema/result';

/** In %, the median over the pairs. */
export interface Floor {
  rttMedianPercent: number;
  rttP95Percent: number;
  cpuPercent: number;
  pairs: number;
}

export const floorSource = 'docs/measurements/floor.md';

/** Figures of that page; a mode that has not been measured has none. */
export const floors: Partial<Record<DeployMode, Floor>> = {
  fresh: { rttMedianPercent: 14, rttP95Percent: 38, cpuPercent: 10, pairs: 28 },
};

/** A sentence for the deployment mode of the runs; none if modes differ, or without a measured floor. */
export function floorSentence(
  runs: readonly { record: RunRecord; cells: readonly { source: string }[] }[],
): string | undefined {
  const modes = new Set(runs.map(({ record }) => (record.experiment as { deploy?: DeployMode } | null)?.deploy));
  const [mode] = modes;
  const floor = modes.size === 1 && mode !== undefined ? floors[mode] : undefined;
  if (!floor || !runs.some(({ cells }) => cells.some(({ source }) => source === 'measured'))) return undefined;
  const { rttMedianPercent, rttP95Percent, cpuPercent, pairs } = floor;
  return `Noise floor (deploy: ${mode}): half of ${pairs} pairs of measurements of the same cell, on two shared cores, differed by ${rttMedianPercent}% or more in the median, ${rttP95Percent}% in p95 and ${cpuPercent}% in CPU per request (${floorSource}); a smaller difference between single repetitions is no evidence.`;
}
