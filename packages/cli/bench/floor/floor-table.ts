/** From pairs of measurements of one cell to the floor: how far apart two measurements of the same thing are. */
import { medianInterval } from '@topo-bench/comparison';
import type { DeployMode } from '@topo-bench/core/schema/experiment';
import type { Cell } from '@topo-bench/core/schema/result';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';

export interface MeasuredPair {
  mode: DeployMode;
  warmUpSeconds: number;
  first: PairFigures;
  second: PairFigures;
}

/** What is compared of a measurement; undefined figures were not measured. */
export interface PairFigures {
  valid: boolean;
  rttMedianUs: number | undefined;
  rttP95Us: number | undefined;
  cpuUsPerRequest: number | undefined;
}

export const floorMetrics = {
  rttMedianUs: 'median RTT',
  rttP95Us: 'p95 RTT',
  cpuUsPerRequest: 'CPU per request',
} as const;
export type FloorMetric = keyof typeof floorMetrics;

export interface FloorRow {
  mode: DeployMode;
  warmUpSeconds: number;
  metric: FloorMetric;
  pairs: number;
  /** Pairs with an invalid measurement, or without the figure. */
  leftOut: number;
  /**
   * Of |ln(second / first)|, in %: half of the pairs differ by no more, with the 95% interval of that median; and nine
   * of ten.
   */
  medianPercent: number;
  interval: [low: number, high: number];
  p90Percent: number;
}

export function figuresOf({ validity, rtt, cpuUsPerRequest }: Cell): PairFigures {
  return {
    valid: validity.valid,
    rttMedianUs: rtt.medianUs,
    rttP95Us: rtt.p95Us,
    cpuUsPerRequest: cpuUsPerRequest.total,
  };
}

/** A row per deployment mode, warm-up and metric, in the order in which they were first measured. */
export function floorRows(pairs: readonly MeasuredPair[]): FloorRow[] {
  const groups = new Map<string, MeasuredPair[]>();
  for (const pair of pairs) {
    const key = `${pair.mode} ${pair.warmUpSeconds}`;
    groups.set(key, [...(groups.get(key) ?? []), pair]);
  }
  return [...groups.values()].flatMap((group) =>
    (Object.keys(floorMetrics) as FloorMetric[]).map((metric) => floorRow(group, metric)),
  );
}

function floorRow(group: readonly MeasuredPair[], metric: FloorMetric): FloorRow {
  const [{ mode, warmUpSeconds }] = group as [MeasuredPair];
  const distances = group
    .filter(({ first, second }) => first.valid && second.valid)
    .map(({ first, second }) => Math.abs(Math.log((second[metric] ?? Number.NaN) / (first[metric] ?? Number.NaN))))
    .filter(Number.isFinite);
  const sorted = sortedCopy(distances);
  const at = (q: number): number => (sorted.length === 0 ? Number.NaN : percent(quantileOfSorted(sorted, q)));
  const [low, high] =
    sorted.length === 0 ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : medianInterval(distances, 0.05);
  return {
    mode,
    warmUpSeconds,
    metric,
    pairs: sorted.length,
    leftOut: group.length - sorted.length,
    medianPercent: at(0.5),
    interval: [Math.max(0, percent(low)), percent(high)],
    p90Percent: at(0.9),
  };
}

/** A ratio of e^x is a difference of this many percent. */
function percent(logRatio: number): number {
  return 100 * Math.expm1(logRatio);
}

/** For `docs/measurements/floor.md`. */
export function floorMarkdown(rows: readonly FloorRow[]): string {
  const lines = rows.map(({ mode, warmUpSeconds, metric, pairs, leftOut, medianPercent, interval, p90Percent }) =>
    [
      mode,
      `${warmUpSeconds} s`,
      floorMetrics[metric],
      leftOut === 0 ? `${pairs}` : `${pairs} (${leftOut} left out)`,
      text(medianPercent),
      `${text(interval[0])} to ${text(interval[1])}`,
      text(p90Percent),
    ].join(' | '),
  );
  const head = [
    'deploy',
    'warm-up',
    'figure',
    'pairs',
    'half of the pairs differ by at most',
    '95% interval',
    'nine of ten',
  ];
  return [head.join(' | '), '---|---|---|--:|--:|--:|--:', ...lines]
    .map((line) => `| ${line} |`.replace('| ---', '|---'))
    .join('\n');
}

function text(value: number): string {
  return Number.isFinite(value) ? `${value.toFixed(1)}%` : 'unknown';
}
