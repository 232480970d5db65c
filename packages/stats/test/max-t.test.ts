import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellScores, dividedScores, divisions, maxTPValues, signFlips } from '../src/max-t.ts';

const infinity = Number.POSITIVE_INFINITY;

describe('relabellings', () => {
  it('of pairs are all choices of signs, the observed one first', () => {
    const flips = signFlips(4).map((signs) => signs.join());
    expect(new Set(flips).size).toBe(16);
    expect(flips[0]).toBe('1,1,1,1');
  });

  it('of two sides are all divisions of that size, the observed one first', () => {
    const found = divisions(2, 3).map((signs) => signs.join());
    expect(new Set(found).size).toBe(10);
    expect(found[0]).toBe('-1,-1,1,1,1');
    for (const signs of divisions(2, 3)) expect(signs.filter((sign) => sign === 1)).toHaveLength(3);
  });

  it('of many rows are drawn, reproducibly, with the observed one among them', () => {
    for (const draw of [() => signFlips(30), () => divisions(15, 15)]) {
      expect(draw()).toHaveLength(1024);
      expect(draw()).toEqual(draw());
    }
    expect(divisions(15, 15)[0]?.slice(13, 17)).toEqual(Int8Array.of(-1, -1, 1, 1));
    for (const signs of divisions(15, 15)) expect(signs.reduce((sum, sign) => sum + sign, 0)).toBe(0);
  });
});

describe('the adjusted p-values', () => {
  // Worked out by hand: 3 rounds, 8 choices of signs. Sums of cell A: 6, 4, 2, 0 and their negatives, over √14. B: 3,
  // 1, −1, −3, over √3.
  it('of two cells in three rounds equal those counted by hand', () => {
    const [a, b] = [Float64Array.of(1, 2, 3), Float64Array.of(1, 1, -1)];
    expect(maxTPValues([a], signFlips(3))).toEqual([1 / 8]);
    // 1/√3 = 0.577 is reached by 4 of 8.
    expect(maxTPValues([b], signFlips(3))).toEqual([4 / 8]);
    // A has 6/√14 = 1.604; B reaches 3/√3 = 1.732 once, with the third sign changed.
    expect(maxTPValues([a, b], signFlips(3))).toEqual([2 / 8, 4 / 8]);
    expect(maxTPValues([b, a], signFlips(3))).toEqual([4 / 8, 2 / 8]);
  });

  /**
   * Closed testing by the definition: the largest p-value over all sets of cells that hold the cell, each by its
   * highest statistic.
   */
  function closed(cells: readonly number[][]): number[] {
    const rounds = cells[0]?.length as number;
    const statistic = (values: readonly number[], bits: number): number =>
      values.reduce((sum, value, row) => sum + (bits & (1 << row) ? -value : value), 0) / Math.hypot(...values);
    const pOf = (set: number): number => {
      const highest = Array.from({ length: 2 ** rounds }, (_, bits) =>
        Math.max(...cells.filter((_values, at) => set & (1 << at)).map((values) => statistic(values, bits))),
      );
      return highest.filter((value) => value >= (highest[0] as number) - 1e-9).length / highest.length;
    };
    return cells.map((_, at) =>
      Math.max(...Array.from({ length: 2 ** cells.length }, (_set, set) => (set & (1 << at) ? pOf(set) : 0))),
    );
  }

  it('equal those of closed testing, a naive reference', () => {
    const cells = fc.array(fc.array(fc.integer({ min: -9, max: 9 }).filter(Boolean), { minLength: 5, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(cells, (values) => {
        const found = maxTPValues(
          values.map((each) => Float64Array.from(each)),
          signFlips(5),
        );
        found.forEach((p, at) => {
          expect(p).toBeCloseTo(closed(values)[at] as number, 12);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('reject with six rounds however many cells there are, where Holm’s correction cannot', () => {
    const random = randomStream(1, 'max-t');
    const quiet = () => Float64Array.from({ length: 8 }, () => 0.02 * (random.uniform() - 0.5));
    const slow = Float64Array.from({ length: 8 }, () => 0.2 + 0.02 * random.uniform());
    const [p, ...others] = maxTPValues([slow, ...Array.from({ length: 40 }, quiet)], signFlips(8));
    expect(p).toBeLessThanOrEqual(2 / 256);
    expect(Math.min(...others)).toBeGreaterThan(0.05);
  });

  it('keep the stated rate over all cells, with every cell at the limit and a common drift of rounds', () => {
    const [gates, cells, rounds, alpha] = [600, 12, 8, 0.05];
    let alarms = 0;
    for (let one = 0; one < gates; one++) {
      const random = randomStream(one, 'max-t rate');
      const drift = Array.from({ length: rounds }, () => random.uniform() - 0.5);
      const scores = Array.from({ length: cells }, () =>
        cellScores(drift.map((shared) => shared + (random.uniform() < 0.1 ? 4 : 1) * (random.uniform() - 0.5))),
      );
      alarms += Number(Math.min(...maxTPValues(scores, signFlips(rounds))) <= alpha);
    }
    // Three standard deviations of a binomial count on either side: the test is exact, not only safe.
    const slack = 3 * Math.sqrt(gates * alpha * (1 - alpha));
    expect(alarms).toBeLessThanOrEqual(gates * alpha + slack);
    expect(alarms).toBeGreaterThanOrEqual(gates * alpha - slack);
  });
});

describe('scores', () => {
  it('are limited to three times their typical size, unfinished ones included; zero stays zero', () => {
    expect([...cellScores([1, -1, 2, 100, -infinity, Number.NaN, 0])]).toEqual([1, -1, 2, 6, -6, 0, 0]);
    expect([...cellScores([infinity, infinity, -infinity, 3])]).toEqual([1, 1, -1, 0]);
    expect([...cellScores([])]).toEqual([]);
  });

  it('of two sides are centred and finite', () => {
    const scores = dividedScores([10, 11, 12, 20, 21, Number.NaN]);
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(0, 12);
    expect(scores[5]).toBe(0);
    const endless = dividedScores([1, 2, infinity, infinity, infinity]);
    expect(endless[0]).toBeLessThan(endless[2] as number);
    expect([...endless].every(Number.isFinite)).toBe(true);
  });
});
