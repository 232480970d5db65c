/** The levels of `--break-even FACTOR=FROM..TO`: numbers, or durations and sizes with a unit. */
import { quantityOf } from '@topo-bench/core';
import { InvalidArgumentError } from 'commander';

export interface BreakEvenRange {
  factor: string;
  levels: (number | string)[];
}

/** Enough for a curve to bend, and few enough for seconds. */
const count = 7;

export function breakEvenRange(text: string): BreakEvenRange {
  const [, factor, from = '', to = ''] = /^([^=]+)=(.+?)\.\.(.+)$/.exec(text.trim()) ?? [];
  const [low, high] = [quantityOf(from), quantityOf(to)];
  if (factor === undefined || !low || !high || low.unit !== high.unit || low.value < 0 || low.value >= high.value) {
    throw new InvalidArgumentError(
      'Expected a factor with two levels in order, such as rate=20..400 or delay=0ms..40ms.',
    );
  }
  // Whole numbers stay whole: there is no half service.
  const isWhole = Number.isInteger(low.value) && Number.isInteger(high.value);
  const step = (high.value - low.value) / (count - 1);
  const values = Array.from({ length: count }, (_, at) => low.value + at * step);
  const levels = [...new Set(values.map((value) => (isWhole ? Math.round(value) : value)))];
  // In the unit of the last level, as the user thinks of it.
  const [unit = ''] = /[a-z]+$/i.exec(to.trim()) ?? [];
  const perUnit = quantityOf(`1${unit}`)?.value ?? 1;
  const inUnit = (value: number): string => `${Number((value / perUnit).toPrecision(4))}${unit}`;
  return { factor, levels: low.unit === 'count' ? levels : levels.map(inUnit) };
}
