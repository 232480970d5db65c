import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundTicks } from '../src/browser/charts/round-ticks.ts';

test('ticks of a wide range are powers of ten, and of a narrower one also their multiples', () => {
  expect(roundTicks(0.8, 2000)).toEqual([1, 10, 100, 1000]);
  expect(roundTicks(4, 130)).toEqual([5, 10, 20, 50, 100]);
  expect(roundTicks(4, 13)).toEqual([4, 5, 7, 10]);
});

test('a range without two of these has even round steps', () => {
  expect(roundTicks(81, 95)).toEqual([85, 90, 95]);
  expect(roundTicks(42, 48)).toEqual([42, 44, 46, 48]);
  expect(roundTicks(2.1, 2.9)).toEqual([2.2, 2.4, 2.6, 2.8]);
  expect(roundTicks(11, 14)).toEqual([11, 12, 13, 14]);
});

test('any range of 2% or more has two to eight ticks, within it, ascending, and round', () => {
  const ends = fc.record({
    low: fc.double({ min: -6, max: 6, noNaN: true }).map((power) => 10 ** power),
    ratio: fc.double({ min: Math.log10(1.02), max: 12, noNaN: true }).map((power) => 10 ** power),
  });
  fc.assert(
    fc.property(ends, ({ low, ratio }) => {
      const high = low * ratio;
      const ticks = roundTicks(low, high);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(8);
      for (const [at, tick] of ticks.entries()) {
        expect(tick).toBeGreaterThanOrEqual(low);
        expect(tick).toBeLessThanOrEqual(high);
        expect(tick).toBeGreaterThan(ticks[at - 1] ?? 0);
        // Labels have four digits; round values need no more.
        expect(Number(tick.toPrecision(4))).toBe(tick);
      }
    }),
    { numRuns: 500, examples: [[{ low: 81, ratio: 95 / 81 }], [{ low: 1, ratio: 1.02 }]] },
  );
});
