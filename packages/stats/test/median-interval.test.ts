import { expect, test } from 'vitest';
import { medianInterval } from '../src/median-interval.ts';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => n - i);

test.each([
  // Ranks of the 95% interval, as tabulated for the sign test.
  [6, 1, 6],
  [8, 1, 8],
  [9, 2, 8],
  [10, 2, 9],
  [15, 4, 12],
  [20, 6, 15],
  [25, 8, 18],
])('of %i values is that from rank %i to rank %i', (n, low, high) => {
  expect(medianInterval(upTo(n), 0.05)).toEqual([low, high]);
});

test.each([1075, 20_000])('of %i values has the ranks of the normal approximation', (n) => {
  // With a correction for continuity, its ranks differ from the exact ones by one at most.
  const rank = n / 2 - 1.959964 * Math.sqrt(n / 4) + 0.5;
  const [low, high] = medianInterval(upTo(n), 0.05);
  expect(Math.abs(low - rank)).toBeLessThanOrEqual(1);
  expect(high).toBe(n + 1 - low);
});

test('is infinite for five values or fewer', () => {
  expect(medianInterval(upTo(5), 0.05)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test('covers the median as often as the binomial distribution predicts, for all values', () => {
  // All 2^10 ways in which ten values can lie below (0) or above (1) their median: it is missed when 0 or 1 of them lie
  // on one side.
  let missed = 0;
  for (let way = 0; way < 1024; way++) {
    const [low, high] = medianInterval(
      upTo(10).map((_, bit) => ((way >> bit) & 1) - 0.5),
      0.05,
    );
    if (low > 0 || high < 0) missed++;
  }
  expect(missed).toBe(2 * (1 + 10));
});
