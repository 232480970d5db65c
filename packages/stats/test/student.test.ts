import { normalQuantile, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { meanInterval, studentQuantile } from '../src/student.ts';

describe("Student's t", () => {
  // Abramowitz & Stegun, table 26.10.
  it.each([
    [4, 0.975, 2.776],
    [5, 0.975, 2.571],
    [9, 0.95, 1.833],
    [29, 0.995, 2.756],
  ])('with %d degrees of freedom has the quantile of tables at %d', (freedom, p, expected) => {
    expect(Math.abs(studentQuantile(p, freedom) / expected - 1)).toBeLessThan(0.005);
  });

  it('has an interval that contains the mean 95 times out of 100', () => {
    const random = randomStream(1, 'student');
    let covered = 0;
    for (let round = 0; round < 4000; round++) {
      const [low, high] = meanInterval(
        Array.from({ length: 5 }, () => normalQuantile(random.uniform() || 0.5)),
        0.05,
      );
      if (low <= 0 && high >= 0) covered++;
    }
    expect(covered / 4000).toBeCloseTo(0.95, 1.7);
  });

  it('of an unfinished value is +∞', () => {
    expect(meanInterval([1, 2, Number.POSITIVE_INFINITY], 0.05)).toEqual([Infinity, Infinity]);
  });
});
