/** Box plots from raw samples: the requests of all valid repetitions of a cell, pooled, as the routing study draws them. */
import { TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type RunFolder, readSampleTimes, type SampleTimes, samplesOf } from '@topo-bench/results';
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import type { CellFigures, CellGroup } from './cell-group.ts';

/** Most outliers drawn per box; the count of all is always stated. */
export const outliersShown = 200;

/** Times in µs. Whiskers reach to the last sample within 1.5 interquartile ranges of the box (Tukey, 1977). */
export interface BoxPlot {
  /** `samples`: of pooled requests; `summaries`: medians of per-repetition figures, whiskers at minimum and maximum. */
  from: 'samples' | 'summaries';
  count: number;
  /** Requests that never finished; they are the +∞ among the quantiles. */
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

/** Undefined for a cell without a completed or unfinished request in a valid repetition. */
export async function boxPlotOf(group: CellGroup, runOf: (cell: Cell) => RunFolder): Promise<BoxPlot | undefined> {
  const repetitionMediansUs = group.valid.map(({ rtt }) => rtt.medianUs);
  if (group.figures === undefined || group.figures.rtt.count === 0) return undefined;
  const samples = await samplesOfAll(group.valid.map((cell) => samplesOf(runOf(cell), cell)));
  if (!samples) return { ...fromSummaries(group.figures), repetitionMediansUs };
  const pooled = samples.flatMap(({ outcome, rttUs }) => (outcome === 'completed' && rttUs !== null ? [rttUs] : []));
  const unfinished = samples.filter(({ outcome }) => outcome === 'unfinished').length;
  return { ...boxOf(pooled, unfinished), repetitionMediansUs };
}

/**
 * The box of a set of intervals in µs.
 * @param unfinished how many more never finished: they count as +∞
 */
export function boxOf(valuesUs: readonly number[], unfinished = 0): Omit<BoxPlot, 'repetitionMediansUs'> {
  const sorted = new Float64Array(valuesUs.length + unfinished).fill(Number.POSITIVE_INFINITY);
  sorted.set(sortedCopy(valuesUs));
  const [q1Us, medianUs, q3Us] = [0.25, 0.5, 0.75].map((q) => quantileOfSorted(sorted, q)) as [number, number, number];
  // With an infinite quartile there is no range to measure outliers by: nothing above the box is one.
  const range = 1.5 * (q3Us - q1Us);
  const finite = sorted.subarray(0, valuesUs.length);
  const low = Number.isFinite(range) ? finite.findIndex((value) => value >= q1Us - range) : 0;
  const high = Number.isFinite(range) ? finite.findLastIndex((value) => value <= q3Us + range) : sorted.length - 1;
  const outliers = [...finite.subarray(0, Math.max(low, 0)), ...finite.subarray(high + 1)];
  return {
    from: 'samples',
    count: sorted.length,
    unfinished,
    lowUs: sorted[Math.max(low, 0)] as number,
    q1Us,
    medianUs,
    q3Us,
    highUs: sorted[high] as number,
    outliersUs: thinned(outliers, outliersShown),
    outliers: outliers.length,
  };
}

/** Undefined unless all are there: a box of some repetitions would pass for one of all. */
async function samplesOfAll(paths: readonly (string | undefined)[]): Promise<SampleTimes[] | undefined> {
  const all: SampleTimes[] = [];
  for (const path of paths) {
    const samples = path === undefined ? undefined : await readUnlessMissing(path);
    if (!samples) return undefined;
    for (const sample of samples) all.push(sample);
  }
  return all;
}

/** Samples may have been deleted to save room; a damaged file is another matter. */
async function readUnlessMissing(path: string): Promise<SampleTimes[] | undefined> {
  try {
    return await readSampleTimes(path);
  } catch (error) {
    if (error instanceof TopoBenchError && error.code === 'TB_RUN_FOLDER_NOT_FOUND') return undefined;
    throw error;
  }
}

function fromSummaries({ rtt, outcomes }: CellFigures): Omit<BoxPlot, 'repetitionMediansUs'> {
  return {
    from: 'summaries',
    count: rtt.count,
    unfinished: outcomes.unfinished,
    lowUs: rtt.minUs,
    q1Us: rtt.q1Us,
    medianUs: rtt.medianUs,
    q3Us: rtt.q3Us,
    highUs: rtt.maxUs,
    outliersUs: [],
    outliers: 0,
  };
}

/** Evenly spaced members of a sorted list, first and last among them. */
function thinned(sorted: readonly number[], most: number): number[] {
  if (sorted.length <= most) return [...sorted];
  return Array.from({ length: most }, (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (most - 1))] as number);
}
