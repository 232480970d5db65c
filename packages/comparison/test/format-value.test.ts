/** How changes are written, in tables and sentences alike. */
import { expect, it } from 'vitest';
import { formatChange, formatChangeWithInterval } from '../src/format-value.ts';

it('writes a change with its sign, and no percentage where one side never ended', () => {
  expect([4.21, -0.3, 250.4, Number.NaN].map(formatChange)).toEqual(['+4.2%', '−0.3%', '+250%', '–']);
  const [finite, unfinished] = [52, Number.POSITIVE_INFINITY];
  const percent = (from: number, to: number): number => 100 * (to / from - 1);
  expect(formatChange(percent(unfinished, finite))).toBe('−∞');
  expect(formatChange(percent(finite, unfinished))).toBe('+∞');
});

it('writes a change with its interval, and alone where nothing of that is known', () => {
  expect(formatChangeWithInterval(4.2, [-0.3, 9.1])).toBe('+4.2% (−0.3 … +9.1%)');
  expect(formatChangeWithInterval(4.2, [-100, Number.POSITIVE_INFINITY])).toBe('+4.2%');
  expect(formatChangeWithInterval(4.2, [-100, 9.1])).toBe('+4.2% (−∞ … +9.1%)');
  expect(formatChangeWithInterval(4.2, undefined)).toBe('+4.2%');
});
