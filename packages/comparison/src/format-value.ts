/** Formats figures and differences of a metric for display, with a fitting unit. */
import { formatBytes, formatUs } from '@topo-bench/core';
import type { CellComparison } from './compare-cells.ts';
import type { Metric, MetricUnit } from './metric.ts';

/** NaN becomes a dash, +∞ `∞` and −∞ `−∞`. */
export function formatValue(value: number, unit: MetricUnit): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '∞';
  switch (unit) {
    case 'us':
      return formatUs(value);
    case 'bytes':
      return formatBytes(value);
    case 'share':
      return `${significant(100 * value)}%`;
    case 'percent':
      return `${significant(value)}%`;
    case 'rps':
      return `${significant(value)}/s`;
    case 'MBps':
      return `${significant(value)} MB/s`;
    case 'count':
      return significant(value);
  }
}

/**
 * A change with its sign: `+4.2%`, `−0.3%`. Unknown changes become a dash. A change from an unfinished baseline is
 * `−∞`, one to an unfinished candidate `+∞`.
 */
export function formatChange(percent: number): string {
  if (Number.isNaN(percent)) return '–';
  // −100% is a ratio of 0. Figures on this scale are positive: the baseline must have been infinite.
  if (!Number.isFinite(percent) || percent === -100) return percent < 0 ? '−∞' : '+∞';
  const text = Math.abs(percent) >= 100 ? String(Math.round(Math.abs(percent))) : Math.abs(percent).toFixed(1);
  return `${percent < 0 ? '−' : '+'}${text}%`;
}

const unknownInterval = 'unknown';

/** `−0.3 … +4.1%`; `unknown` when neither end is known, e.g. with too few repetitions. */
export function formatChangeInterval([low, high]: readonly [number, number]): string {
  const known = (end: number, none: number): boolean => !Number.isNaN(end) && end !== none && Number.isFinite(end);
  if (!known(low, -100) && !known(high, -100)) return unknownInterval;
  return `${known(low, -100) ? formatChange(low).slice(0, -1) : '−∞'} … ${formatChange(high)}`;
}

/** `+4.2% (−0.3 … +9.1%)`, or the change alone where its interval is unknown. */
export function formatChangeWithInterval(percent: number, interval: readonly [number, number] | undefined): string {
  const text = interval ? formatChangeInterval(interval) : unknownInterval;
  return text === unknownInterval ? formatChange(percent) : `${formatChange(percent)} (${text})`;
}

/** The difference of a cell: in % for a metric with a ratio scale, else in its unit. */
export function formatDifference({ difference, differencePercent }: CellComparison, { scale, unit }: Metric): string {
  return scale === 'ratio' ? formatChange(differencePercent) : signed(difference, unit);
}

/** The interval of that difference, in the same form. */
export function formatDifferenceInterval(
  { interval, intervalPercent }: CellComparison,
  { scale, unit }: Metric,
): string {
  if (scale === 'ratio') return formatChangeInterval(intervalPercent);
  return interval.every((end) => !Number.isFinite(end))
    ? 'unknown'
    : interval.map((end) => signed(end, unit)).join(' … ');
}

function signed(value: number, unit: MetricUnit): string {
  if (value === 0 || !Number.isFinite(value)) return formatValue(value, unit);
  return `${value < 0 ? '−' : '+'}${formatValue(Math.abs(value), unit)}`;
}

function significant(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
