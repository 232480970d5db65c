/** Figures of a metric as people read them, with the unit that fits. */
import { formatBytes, formatUs } from '@topo-bench/core';
import type { CellComparison } from './compare-cells.ts';
import type { Metric, MetricUnit } from './metric.ts';

/** NaN and what is not known as a dash; infinite values with their sign. */
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

/** A change with its sign: `+4.2%`, `−0.3%`; a dash where it is not known, `−∞` and `+∞` from and to what never ended. */
export function formatChange(percent: number): string {
  if (Number.isNaN(percent)) return '–';
  // A ratio of 0: figures on this scale are positive, so the baseline was infinite.
  if (!Number.isFinite(percent) || percent === -100) return percent < 0 ? '−∞' : '+∞';
  const text = Math.abs(percent) >= 100 ? String(Math.round(Math.abs(percent))) : Math.abs(percent).toFixed(1);
  return `${percent < 0 ? '−' : '+'}${text}%`;
}

/** `−0.3 … +4.1%`; `unknown` when neither end is, as with too few repetitions. */
export function formatChangeInterval([low, high]: readonly [number, number]): string {
  const known = (end: number, none: number): boolean => !Number.isNaN(end) && end !== none && Number.isFinite(end);
  if (!known(low, -100) && !known(high, -100)) return 'unknown';
  return `${known(low, -100) ? formatChange(low).slice(0, -1) : '−∞'} … ${formatChange(high)}`;
}

/** The difference of a cell: relative where the metric has a ratio scale, else in its unit. */
export function formatDifference({ difference, differencePercent }: CellComparison, { scale, unit }: Metric): string {
  return scale === 'ratio' ? formatChange(differencePercent) : signed(difference, unit);
}

/** Its interval, likewise. */
export function formatDifferenceInterval({ interval, intervalPercent }: CellComparison, { scale, unit }: Metric): string {
  if (scale === 'ratio') return formatChangeInterval(intervalPercent);
  return interval.every((end) => !Number.isFinite(end)) ? 'unknown' : interval.map((end) => signed(end, unit)).join(' … ');
}

function signed(value: number, unit: MetricUnit): string {
  if (value === 0 || !Number.isFinite(value)) return formatValue(value, unit);
  return `${value < 0 ? '−' : '+'}${formatValue(Math.abs(value), unit)}`;
}

function significant(value: number): string {
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
