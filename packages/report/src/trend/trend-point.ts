/** One level of a trend: figures with their spread, and what limited the cell. */
import { type Bottleneck, bottleneckOf } from '@topo-bench/comparison';
import { isSteady, quantityOf } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { isOverload } from '@topo-bench/results';
import type { CellGroup } from '../model/cell-group.ts';
import type { Factor, Level } from '../model/factors.ts';
import { type Spread, spreadOf } from './spread.ts';
import type { TrendFigure } from './trend-figure.ts';

export interface TrendPoint {
  /** Index of the cell in the report. */
  cell: number;
  level: Level;
  /** The level as a number, in the unit of the trend. */
  x: number;
  median: Spread;
  p95: Spread;
  valid: Cell[];
  /** Reasons of the first invalid repetition, if there is one. */
  invalidReason: string | undefined;
  limit: Bottleneck;
}

/** A cell with its index in the report. */
export interface TrendCell extends CellGroup {
  index: number;
}

export function pointOf(
  figure: TrendFigure,
  factor: Factor,
  { index, factors, valid, invalid }: TrendCell,
): TrendPoint {
  const level = factors[factor.name] as Level;
  return {
    cell: index,
    level,
    x: axisValue(level),
    median: spreadOf(valid.map((cell) => figure.of(cell).medianUs)),
    p95: spreadOf(valid.map((cell) => figure.of(cell).p95Us)),
    valid,
    invalidReason: invalid[0]?.validity.reasons.join('; '),
    limit: bottleneckOf([...valid, ...invalid]),
  };
}

/** In µs, in bytes, or the number itself; NaN for other levels. */
export function axisValue(level: Level): number {
  return quantityOf(level)?.value ?? Number.NaN;
}

/** Medians of the repetitions; +∞ for one that is invalid because the system did not bear the load, or unstable. */
export function borneTimes(figure: TrendFigure, { valid, invalid }: CellGroup): number[] {
  const timeOf = (cell: Cell): number => (isSteady(cell) ? figure.of(cell).medianUs : Number.POSITIVE_INFINITY);
  const measured = valid.map(timeOf).filter((us) => us > 0);
  return [...measured, ...invalid.filter(isOverload).map(() => Number.POSITIVE_INFINITY)];
}
