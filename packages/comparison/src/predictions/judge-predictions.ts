/** Registered predictions next to the run that was measured after them: errors, and the floor of the same cells. */
import { cellKey } from '@topo-bench/core';
import { type BaselineName, baselineNames, type RegisteredCell } from '@topo-bench/core/schema/predictions';
import type { Cell } from '@topo-bench/core/schema/result';
import { median, quantileOfSorted, sortedCopy } from '@topo-bench/stats';

export const judgedFigures = ['medianUs', 'p95Us', 'p99Us', 'cpuUs'] as const;
export type JudgedFigure = (typeof judgedFigures)[number];

/** One figure of one cell. Shares: 0.1 is 10%. */
export interface JudgedValue {
  predictedUs: number;
  /** Median of the repetitions. */
  measuredUs: number;
  /** |predicted / measured − 1|. */
  error: number;
  /** The same of a repetition against the others, which are other deployments; absent for fewer than two. */
  floor?: number;
  /** Repetitions in the interval; absent without one. */
  covered?: number;
  repetitions: number;
  baselines: Partial<Record<BaselineName, number>>;
}

export interface JudgedCell {
  cell: RegisteredCell;
  repetitions: number;
  values: Partial<Record<JudgedFigure, JudgedValue>>;
}

export interface FigureSummary {
  cells: number;
  /** Median and 90th percentile over cells. */
  error: readonly [number, number];
  floor?: readonly [number, number];
  /** Median error over median floor. */
  ratio?: number;
  /** Share of repetitions in their intervals. */
  coverage?: number;
  /** Median errors. */
  baselines: Partial<Record<BaselineName, number>>;
}

export interface Judgement {
  cells: JudgedCell[];
  /** Over the cells that were predicted below the limit of the busy share. */
  summaries: Partial<Record<JudgedFigure, FigureSummary>>;
  maxBusyShare: number;
  /** Pairs of architectures whose repetitions do not overlap, at least 3 each: which one has the lower median. */
  order: { right: number; pairs: number };
}

/** Completed requests of a repetition: ten of them are above its p99. Fewer leave it to chance. */
export const minRequestsForP99 = 1000;

/** Above it, chance decides about quantiles. */
const maxBusyShare = 0.7;
/** For a difference between architectures. */
const minRepetitions = 3;

/** @param entries usable measured repetitions */
export function judgePredictions(registered: readonly RegisteredCell[], entries: readonly Cell[]): Judgement {
  const byCell = new Map<string, Cell[]>();
  for (const entry of entries)
    byCell.set(cellKey(entry.factors), [...(byCell.get(cellKey(entry.factors)) ?? []), entry]);
  const measuredOf = (cell: RegisteredCell): readonly Cell[] => byCell.get(cellKey(cell.factors)) ?? [];
  const cells = registered.map((cell) => judgedCell(cell, measuredOf(cell)));
  const calm = cells.filter(({ cell }) => cell.busyShare <= maxBusyShare);
  const summaries = judgedFigures.flatMap((figure) => {
    const summary = summaryOf(calm.flatMap(({ values }) => values[figure] ?? []));
    return summary ? [[figure, summary] as const] : [];
  });
  return { cells, summaries: Object.fromEntries(summaries), maxBusyShare, order: orderOf(registered, measuredOf) };
}

/** NaN: none that is worth a statement. */
export function measuredValue({ rtt, cpuUsPerRequest }: Cell, figure: JudgedFigure): number {
  if (figure === 'p99Us' && rtt.count < minRequestsForP99) return Number.NaN;
  return figure === 'cpuUs' ? (cpuUsPerRequest.total ?? Number.NaN) : rtt[figure];
}

function judgedCell(cell: RegisteredCell, entries: readonly Cell[]): JudgedCell {
  const values = judgedFigures.flatMap((figure) => {
    const measured = entries.map((entry) => measuredValue(entry, figure)).filter((us) => Number.isFinite(us) && us > 0);
    const predictedUs = cell.predicted[figure];
    if (measured.length === 0 || predictedUs === null || predictedUs === undefined) return [];
    return [[figure, judgedValue(cell, figure, predictedUs, measured)] as const];
  });
  return { cell, repetitions: entries.length, values: Object.fromEntries(values) };
}

function judgedValue(
  { intervals, baselines }: RegisteredCell,
  figure: JudgedFigure,
  predictedUs: number,
  measured: readonly number[],
): JudgedValue {
  const measuredUs = median(measured);
  const off = (us: number): number => Math.abs(us / measuredUs - 1);
  const others = measured.map((us, i) => Math.abs(us / median(measured.filter((_, j) => j !== i)) - 1));
  // Calibrations are not fitted to p99, so nothing is known of its error.
  const [low, high] = (figure !== 'p99Us' && intervals?.[figure]) || [];
  const simple = baselineNames.flatMap((name) => {
    const us = baselines[name]?.[figure];
    return us === null || us === undefined ? [] : [[name, off(us)] as const];
  });
  return {
    ...{ predictedUs, measuredUs, error: off(predictedUs), repetitions: measured.length },
    ...(measured.length > 1 && { floor: median(others) }),
    ...(low !== undefined &&
      high !== undefined && { covered: measured.filter((us) => us >= low && us <= high).length }),
    baselines: Object.fromEntries(simple),
  };
}

function summaryOf(values: readonly JudgedValue[]): FigureSummary | undefined {
  if (values.length === 0) return undefined;
  const middleAndHigh = (shares: readonly number[]): readonly [number, number] => {
    const sorted = sortedCopy(shares);
    return [quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.9)];
  };
  const error = middleAndHigh(values.map((value) => value.error));
  const floors = values.flatMap(({ floor }) => floor ?? []);
  const floor = floors.length > 0 ? middleAndHigh(floors) : undefined;
  const withInterval = values.filter(({ covered }) => covered !== undefined);
  const count = withInterval.reduce((sum, { repetitions }) => sum + repetitions, 0);
  const covered = withInterval.reduce((sum, value) => sum + (value.covered ?? 0), 0);
  const baselines = baselineNames.flatMap((name) => {
    const errors = values.flatMap((value) => value.baselines[name] ?? []);
    return errors.length > 0 ? [[name, median(errors)] as const] : [];
  });
  return {
    ...{ cells: values.length, error, baselines: Object.fromEntries(baselines) },
    ...(floor && { floor, ratio: error[0] / floor[0] }),
    ...(count > 0 && { coverage: covered / count }),
  };
}

function orderOf(
  registered: readonly RegisteredCell[],
  measuredOf: (cell: RegisteredCell) => readonly Cell[],
): Judgement['order'] {
  let right = 0;
  let pairs = 0;
  for (const [i, a] of registered.entries()) {
    for (const b of registered.slice(i + 1)) {
      const { architecture: nameA, ...othersA } = a.factors;
      const { architecture: nameB, ...othersB } = b.factors;
      if (nameA === nameB || cellKey(othersA) !== cellKey(othersB)) continue;
      const [ofA, ofB] = [a, b].map((cell) => measuredOf(cell).map(({ rtt }) => rtt.medianUs)) as [number[], number[]];
      if (Math.min(ofA.length, ofB.length) < minRepetitions) continue;
      const aIsFaster = Math.max(...ofA) < Math.min(...ofB);
      if (!aIsFaster && Math.max(...ofB) >= Math.min(...ofA)) continue;
      if (a.predicted.medianUs === null || b.predicted.medianUs === null) continue;
      pairs++;
      if (a.predicted.medianUs < b.predicted.medianUs === aIsFaster) right++;
    }
  }
  return { right, pairs };
}
