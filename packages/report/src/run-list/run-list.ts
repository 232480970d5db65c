/** The data of a list of runs: the runs in the order of time, and the figures of equal cells over them. */
import type { MetricUnit } from '@topo-bench/comparison';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';
import type { Spread } from '../trend/spread.ts';

export interface RunList {
  /** Oldest first. */
  runs: ListedRun[];
  /** By experiment and cell, in the order of appearance. */
  series: Series[];
  /** Folders that look like runs and cannot be read, with the reason. */
  unreadable: { folder: string; problem: string }[];
}

export interface ListedRun {
  folder: string;
  name: string;
  study: string | undefined;
  startedAt: string;
  status: RunRecord['status'];
  /** Version of topo-bench. */
  version: string;
  /** Git ref of one side of a gate. */
  ref: string | undefined;
  cells: number;
  repetitions: number;
  valid: number;
  /** Flags of valid repetitions, by the number of repetitions that have them. */
  flags: Record<string, number>;
  /** First sentence of the answer. */
  answer: string | undefined;
  /** Judgements of the experiment's thresholds, in sentences. */
  thresholds: string[];
  setup: Setup;
  /** Whether the folder has a page. */
  hasPage: boolean;
}

/** Runs of one experiment with the same set-up can be compared: only topo-bench and Node.js may differ. */
export interface Setup {
  /** From 1, in the order of time, per experiment. */
  number: number;
  /** Differences from set-up 1 of the experiment; empty for set-up 1. */
  differences: string[];
}

/** One cell of an experiment over the runs. */
export interface Series {
  experiment: string;
  source: Cell['source'];
  factors: FactorLevels;
  /** Name of the metric; a time also has a 95th percentile. */
  metric: string;
  unit: MetricUnit;
  /** Oldest first; only runs with a valid repetition of the cell. */
  points: SeriesPoint[];
}

export interface SeriesPoint {
  run: ListedRun;
  figure: Spread;
  p95: Spread | undefined;
  /** Comparison with the last run before it that has the same set-up; undefined without one. */
  change: Change | undefined;
}

export interface Change {
  before: ListedRun;
  percent: number;
  /** Whether the spread of the later run includes the earlier figure. */
  isCovered: boolean;
  /** `beyond`: not covered, and more than separate runs differ without a cause. */
  mark: 'covered' | 'usual' | 'beyond';
}

/**
 * Medians of separate runs of the same code differ by 9 to 11% on one machine: caches, memory layout and neighbours
 * stay the same within a run and differ between runs.
 */
export const usualDifferencePercent = 11;

export function changeBetween(before: ListedRun, earlier: Spread, later: Spread): Change {
  const percent = 100 * (later.value / earlier.value - 1);
  const isCovered = later.low <= earlier.value && earlier.value <= later.high;
  // The same ratio in both directions: +11% one way is −9.9% the other way.
  const distance = Math.abs(Math.log(later.value / earlier.value));
  const isUsual = distance <= Math.log(1 + usualDifferencePercent / 100);
  return { before, percent, isCovered, mark: isCovered ? 'covered' : isUsual ? 'usual' : 'beyond' };
}
