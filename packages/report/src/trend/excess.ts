/**
 * Why a step of a factor takes longer than the processor time that it adds: waits for a processor, which other threads
 * had, and the rest, which requests wait for one another.
 */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import type { TrendPoint } from './trend-point.ts';

/** Below this multiple of the added processor time, the added time needs no explanation. */
const minExcess = 1.2;
/** Below this share of the added time, a part is no explanation. */
const minPart = 0.05;

/**
 * `of the 20 ms from 0ms to 12ms, 12 ms are CPU time, about 3 ms waits for a processor and 5 ms waits behind other
 * requests`; empty where processor time explains the time, where less CPU than 1 ms is added, and where a figure is
 * unknown.
 * @param points lowest level first
 * @param time added from the lowest to the highest level, in µs
 */
export function excessText(points: readonly TrendPoint[], time: number): string {
  const [low, high] = [points[0], points.at(-1)];
  if (!low || !high || low === high) return '';
  const more = (of: (cell: Cell) => number | undefined): number => medianDifference(low, high, of);
  const cpu = more(({ cpuUsPerRequest }) => cpuUsPerRequest.total);
  if (!(cpu >= 1000) || !(time > minExcess * cpu) || !Number.isFinite(time)) return '';
  const waits = Math.max(0, more(waitUsPerRequest) || 0);
  const waited = Math.min(waits, time - cpu);
  const queued = time - cpu - waited;
  const others = median(high.valid.flatMap(({ resources }) => resources.host?.foreignPercent ?? []));
  const had = others >= 10 ? ` (other programs had ${Math.round(others)}% of them)` : '';
  const parts = [
    `${formatUs(cpu)} are CPU time`,
    ...(waited > minPart * time ? [`about ${formatUs(waited)} waits for a processor${had}`] : []),
    ...(queued > minPart * time ? [`the other ${formatUs(queued)} neither, e.g. waits behind other requests`] : []),
  ];
  return `of the ${formatUs(time)} from ${low.level} to ${high.level}, ${listed(parts)}`;
}

/** Median over the common rounds; NaN without any. */
function medianDifference(low: TrendPoint, high: TrendPoint, of: (cell: Cell) => number | undefined): number {
  const before = new Map(low.valid.map((cell) => [cell.repetition, of(cell) ?? Number.NaN]));
  const differences = high.valid.map((cell) => (of(cell) ?? Number.NaN) - (before.get(cell.repetition) ?? Number.NaN));
  return median(differences.filter((value) => !Number.isNaN(value)));
}

/** Mean time in which the main threads of all roles were runnable and had no processor, per answered request. */
function waitUsPerRequest({ processes, outcomes }: Cell): number | undefined {
  const all = Object.values(processes ?? {}).flatMap(({ mainThread }) => mainThread?.waitUs ?? []);
  const answered = outcomes.completed + outcomes.refused + outcomes.error;
  return all.length === 0 || answered === 0 ? undefined : all.reduce((sum, us) => sum + us, 0) / answered;
}

function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
