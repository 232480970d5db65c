/** What would tell in the next gate where one cannot: a setting, from the pairs just seen. */
import { bottleneckOf, type Threshold, thresholdThatTells } from '@topo-bench/comparison';
import { describeLevel, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Sides } from '@topo-bench/trial';

/** Below this idle share of the host, or above this busy share of an event loop, a lower rate shortens queues. */
const littleIdlePercent = 30;
const busyEventLoop = 0.5;

/** A sentence without full stop; undefined where no setting is known to help. */
export function remedyOf(
  { baseline, candidate }: Sides<RunFolder>,
  thresholds: readonly Threshold[],
): string | undefined {
  const cells = [...baseline.cells, ...candidate.cells];
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  const wider = relative.flatMap(
    (threshold) => thresholdThatTells(baseline, candidate, threshold, relative.length) ?? [],
  );
  const parts = [
    ...wider.map((text) => `--threshold '${text}'`),
    ...lowerRate(cells),
    ...(isLateWithoutPriority(cells) ? ['real-time priority of the load generator (topo-bench doctor)'] : []),
    ...(hasForeignLoad(cells) ? ['a machine without the other programs'] : []),
  ];
  if (parts.length === 0) return undefined;
  const again = wider.length === 0 ? '' : ' (for these pairs a new limit is a second look, not a verdict)';
  return `what would tell in the next gate, or needs fewer pairs: ${parts.join('; ')}${again}`;
}

/** Half of the rate where queues are part of the times. */
function lowerRate(cells: readonly Cell[]): string[] {
  const rates = cells.map(({ offeredRps }) => offeredRps);
  const { eventLoop, idlePercent } = bottleneckOf(cells);
  if (!(idlePercent < littleIdlePercent) && !(eventLoop > busyEventLoop)) return [];
  const rate = Math.max(...rates);
  return rate > 0 ? [`a rate of ${describeLevel('rate', Number((rate / 2).toPrecision(2)))}`] : [];
}

function isLateWithoutPriority(cells: readonly Cell[]): boolean {
  const late = cells.filter(({ validity, turns }) => validity.onlyLate === true || turns?.leftOut !== undefined);
  return late.length > 0 && late.every(({ generator }) => generator?.realTimePriority === false);
}

function hasForeignLoad(cells: readonly Cell[]): boolean {
  return cells.filter(({ validity }) => validity.flags.includes('foreign-load')).length > cells.length / 2;
}
