/** Box plots from raw samples, as in the routing study: pooled requests of all valid repetitions of a cell. */
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import type { CellFigures, CellGroup } from './cell-group.ts';
import type { RepetitionSamples } from './cell-samples.ts';
import { type TimeMetric, timeOf } from './time-metric.ts';

/** Max outliers drawn per box; the report always states the count of all outliers. */
export const outliersShown = 200;

/** Times in µs. Whiskers reach to the last sample within 1.5 interquartile ranges of the box (Tukey, 1977). */
export interface BoxPlot {
  /**
   * Quartiles and median are always medians over the repetitions, as in every table. `samples`: whiskers and outliers
   * are those of the pooled requests. `summaries`: whiskers at the medians of min and max.
   */
  from: 'samples' | 'summaries';
  count: number;
  /** Requests that never finished; they are +∞ in the quantiles. */
  unfinished: number;
  lowUs: number;
  q1Us: number;
  medianUs: number;
  q3Us: number;
  highUs: number;
  /** Ascending, at most `outliersShown`, both ends kept. */
  outliersUs: number[];
  outliers: number;
  /** Median of each valid repetition, in the order measured. */
  repetitionMediansUs: number[];
}

/**
 * Undefined for a cell without a completed or unfinished request in a valid repetition.
 * @param samples undefined if some are missing: the box then uses summaries
 */
export function boxPlotOf(
  { valid, figures }: CellGroup,
  samples: readonly RepetitionSamples[] | undefined,
  metric: TimeMetric,
): BoxPlot | undefined {
  const repetitionMediansUs = valid.map((cell) => cell[metric].medianUs);
  if (figures === undefined || figures[metric].count === 0) return undefined;
  if (!samples) return { ...fromSummaries(figures, metric), repetitionMediansUs };
  const times = samples.flatMap((repetition) => repetition.samples.flatMap((sample) => timeOf(sample, metric) ?? []));
  const finite = times.filter(Number.isFinite);
  const { q1Us, medianUs, q3Us } = figures[metric];
  return { ...boxOf(finite, times.length - finite.length, [q1Us, medianUs, q3Us]), repetitionMediansUs };
}

/**
 * The box of a set of intervals in µs.
 * @param unfinished number of additional requests that never finished; they count as +∞
 * @param quartiles Q1, median and Q3 of the box; default: those of the values
 */
export function boxOf(
  valuesUs: readonly number[],
  unfinished = 0,
  quartiles?: readonly [q1Us: number, medianUs: number, q3Us: number],
): Omit<BoxPlot, 'repetitionMediansUs'> {
  const sorted = new Float64Array(valuesUs.length + unfinished).fill(Number.POSITIVE_INFINITY);
  sorted.set(sortedCopy(valuesUs));
  const pooled = [0.25, 0.5, 0.75].map((q) => quantileOfSorted(sorted, q)) as [number, number, number];
  const [q1Us, medianUs, q3Us] = quartiles ?? pooled;
  // An infinite quartile gives no interquartile range, so no value above the box is an outlier.
  const range = 1.5 * (q3Us - q1Us);
  const finite = sorted.subarray(0, valuesUs.length);
  const low = Number.isFinite(range) ? finite.findIndex((value) => value >= q1Us - range) : 0;
  const high = Number.isFinite(range) ? finite.findLastIndex((value) => value <= q3Us + range) : sorted.length - 1;
  const outliers = [...finite.subarray(0, Math.max(low, 0)), ...finite.subarray(high + 1)];
  return {
    from: 'samples',
    count: sorted.length,
    unfinished,
    // Quartiles over repetitions can lie outside the pooled requests between the fences.
    lowUs: Math.min(q1Us, sorted[Math.max(low, 0)] as number),
    q1Us,
    medianUs,
    q3Us,
    highUs: Math.max(q3Us, sorted[Math.max(high, 0)] as number),
    outliersUs: thinned(outliers, outliersShown),
    outliers: outliers.length,
  };
}

function fromSummaries(
  { outcomes, ...figures }: CellFigures,
  metric: TimeMetric,
): Omit<BoxPlot, 'repetitionMediansUs'> {
  const summary = figures[metric];
  return {
    from: 'summaries',
    count: summary.count,
    unfinished: outcomes.unfinished,
    lowUs: summary.minUs,
    q1Us: summary.q1Us,
    medianUs: summary.medianUs,
    q3Us: summary.q3Us,
    highUs: summary.maxUs,
    outliersUs: [],
    outliers: 0,
  };
}

/** Evenly spaced members of a sorted list, including the first and the last. */
function thinned(sorted: readonly number[], most: number): number[] {
  if (sorted.length <= most) return [...sorted];
  return Array.from(
    { length: most },
    (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (most - 1))] as number,
  );
}
