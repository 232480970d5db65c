/**
 * Input of charts of single requests: quantiles, and times over a repetition. It is thinned so that a page with many
 * cells stays small.
 */
import { median, quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import type { RepetitionSamples } from './cell-samples.ts';
import { type TimeMetric, timeMetrics, timeOf } from './time-metric.ts';

/**
 * Shares of requests with a stored quantile. Even steps cover the distribution; even steps of log(1 − q) cover its
 * tail.
 */
export const quantileGrid: readonly number[] = [
  ...Array.from({ length: 49 }, (_, step) => step / 50),
  ...Array.from({ length: 28 }, (_, step) => 1 - 10 ** -(1.75 + step / 8)),
];

/** Number of equal parts of the load, each with a median in the table. */
export const timeTenths = 10;

export interface RepetitionTimes {
  repetition: number;
  /** Length of the load in µs: until the last request is meant to leave, or until the end of the last turn. */
  spanUs: number;
  /**
   * Median and max in µs per window, by intended send time. Windows have equal length; NaN for a window without
   * requests.
   */
  medianUs: number[];
  maxUs: number[];
}

export interface TimeFigures {
  /** Completed and unfinished requests of all valid repetitions. */
  count: number;
  unfinished: number;
  /**
   * Quantiles in µs at `quantileGrid`, as far as the count supports them (1 − q ≥ 1/count), then the maximum.
   * Unfinished requests are +∞.
   */
  quantilesUs: number[];
  repetitions: RepetitionTimes[];
  /** Median in µs of each tenth of the load, over all valid repetitions. */
  tenthsUs: number[];
}

export interface SampleFigures extends Record<TimeMetric, TimeFigures> {
  /**
   * Answers per second during the load, including refusals and errors; one entry per valid repetition. Of a cell in
   * turns: per second of its own turns, and before its next turn.
   */
  answeredRps: { repetition: number; rps: number }[];
}

/** Target for the requests per window: a median needs more than a few samples. */
const minPerWindow = 20;
const fewestWindows = 10;

/** @param maxWindows per repetition; short repetitions get fewer windows */
export function sampleFiguresOf(repetitions: readonly RepetitionSamples[], maxWindows: number): SampleFigures {
  const windows = turnWindows(repetitions, maxWindows) ?? evenWindows(repetitions, maxWindows);
  const [rtt, responseTime] = timeMetrics.map((metric) => timeFiguresOf(repetitions, metric, windows)) as [
    TimeFigures,
    TimeFigures,
  ];
  return { rtt, responseTime, answeredRps: repetitions.map(answeredRps) };
}

function evenWindows(repetitions: readonly RepetitionSamples[], maxWindows: number): number {
  const least = Math.min(...repetitions.map(({ samples }) => samples.length));
  return Math.min(maxWindows, Math.max(fewestWindows, Math.floor(least / minPerWindow)));
}

/** One window for each turn of the cell, or for several: windows within a turn would leave gaps in every line. */
function turnWindows(repetitions: readonly RepetitionSamples[], maxWindows: number): number | undefined {
  const counts = repetitions.flatMap((one) => turnsOf(one) ?? []);
  if (counts.length < repetitions.length) return undefined;
  const most = Math.max(...counts);
  return Math.ceil(most / Math.ceil(most / maxWindows));
}

/** Number of turns of the cell in the load; undefined for a cell measured alone. */
function turnsOf(repetition: RepetitionSamples): number | undefined {
  const periodUs = periodOf(repetition);
  return periodUs === undefined ? undefined : Math.floor(lastOf(repetition.samples) / periodUs) + 1;
}

/** From one turn of the cell to the next, in µs. */
function periodOf({ turns }: RepetitionSamples): number | undefined {
  return turns && turns.levels > 1 ? turns.levels * (turns.sliceUs + turns.gapUs) : undefined;
}

function timeFiguresOf(repetitions: readonly RepetitionSamples[], metric: TimeMetric, windows: number): TimeFigures {
  const timed = repetitions.map((one) => ({
    repetition: one.repetition,
    spanUs: spanOf(one),
    times: one.samples.flatMap((sample) => {
      const us = timeOf(sample, metric);
      return us === undefined ? [] : [{ atUs: sample.intendedUs, us }];
    }),
  }));
  const pooled = sortedCopy(timed.flatMap(({ times }) => times.map(({ us }) => us)));
  const tenths = timed.map(({ times, spanUs }) => byWindow(times, spanUs, timeTenths));
  return {
    count: pooled.length,
    unfinished: pooled.length - finiteLength(pooled),
    quantilesUs: quantilesOf(pooled),
    repetitions: timed.map(({ repetition, spanUs, times }) => {
      const inWindows = byWindow(times, spanUs, windows);
      return {
        repetition,
        spanUs,
        medianUs: inWindows.map(median),
        maxUs: inWindows.map((window) => (window.length === 0 ? Number.NaN : Math.max(...window))),
      };
    }),
    tenthsUs: Array.from({ length: timeTenths }, (_, at) =>
      median(tenths.flatMap((windowsOfOne) => windowsOfOne[at] ?? [])),
    ),
  };
}

function quantilesOf(sorted: Float64Array): number[] {
  if (sorted.length === 0) return [];
  const carried = quantileGrid.filter((q) => (1 - q) * sorted.length >= 1);
  return [...carried.map((q) => quantileOfSorted(sorted, q)), sorted.at(-1) as number];
}

function finiteLength(sorted: Float64Array): number {
  const first = sorted.indexOf(Number.POSITIVE_INFINITY);
  return first < 0 ? sorted.length : first;
}

function spanOf(repetition: RepetitionSamples): number {
  const [turns, periodUs] = [turnsOf(repetition), periodOf(repetition)];
  return turns === undefined || periodUs === undefined ? lastOf(repetition.samples) : turns * periodUs;
}

function lastOf(samples: RepetitionSamples['samples']): number {
  return samples.reduce((last, { intendedUs }) => Math.max(last, intendedUs), 0);
}

function byWindow(times: readonly { atUs: number; us: number }[], spanUs: number, windows: number): number[][] {
  const found = Array.from({ length: windows }, (): number[] => []);
  for (const { atUs, us } of times)
    found[Math.min(windows - 1, Math.floor((atUs / (spanUs || 1)) * windows))]?.push(us);
  return found;
}

function answeredRps(one: RepetitionSamples): { repetition: number; rps: number } {
  const { repetition, samples, turns } = one;
  const [spanUs, periodUs] = [spanOf(one), periodOf(one)];
  if (turns && periodUs !== undefined) {
    const kept = samples.filter(
      ({ doneUs, intendedUs }) => doneUs !== null && doneUs <= (Math.floor(intendedUs / periodUs) + 1) * periodUs,
    );
    const slices = spanUs / periodUs - (turns.leftOut?.slices ?? 0);
    return { repetition, rps: (kept.length / (slices * turns.sliceUs)) * 1e6 };
  }
  const answered = samples.filter(({ doneUs }) => doneUs !== null && doneUs <= spanUs).length;
  return { repetition, rps: spanUs > 0 ? (answered / spanUs) * 1e6 : Number.NaN };
}
