import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { median } from '../src/quantile.ts';
import { pairedShift, shift } from '../src/rank-interval.ts';
import { pairedSlope, type SlopeLevel, trendSlope } from '../src/trend-slope.ts';

const alpha = 0.05;

/** Values in general position, at levels with uneven distances. */
function levelsOf(sizes: readonly number[], seed: number): SlopeLevel[] {
  const random = randomStream(seed, 'slope');
  return sizes.map((size, at) => ({
    x: at * at + at,
    values: Array.from({ length: size }, () => 100 * random.uniform()),
  }));
}

/** All ways to deal the values to levels of these sizes. */
function* deals(values: readonly number[], sizes: readonly number[]): Generator<number[][]> {
  const [size, ...rest] = sizes;
  if (size === undefined) {
    yield [];
    return;
  }
  for (const chosen of subsets(values.length, size)) {
    const others = values.filter((_, at) => !chosen.includes(at));
    for (const deal of deals(others, rest)) yield [chosen.map((at) => values[at] as number), ...deal];
  }
}

function* subsets(n: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  else for (let at = from; at < n; at++) for (const rest of subsets(n, size - 1, at + 1)) yield [at, ...rest];
}

/** Pairs of values of different levels in which the higher level has the higher value. */
function rising(groups: readonly (readonly number[])[]): number {
  let count = 0;
  groups.forEach((high, at) => {
    for (const low of groups.slice(0, at).flat()) count += high.filter((value) => value > low).length;
  });
  return count;
}

/** The two-sided permutation test of "no trend" on values from which a slope was taken off, by enumeration. */
function rejects(levels: readonly SlopeLevel[], slope: number): boolean {
  const groups = levels.map(({ x, values }) => values.map((value) => value - slope * x));
  const observed = rising(groups);
  const all = [
    ...deals(
      groups.flat(),
      groups.map(({ length }) => length),
    ),
  ].map(rising);
  const share = (holds: (count: number) => boolean): number => all.filter(holds).length / all.length;
  return (
    Math.min(
      share((count) => count <= observed),
      share((count) => count >= observed),
    ) <=
    alpha / 2
  );
}

describe('the slope over levels', () => {
  it('is the median of the slopes between all pairs', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }), fc.nat(), (sizes, seed) => {
        const levels = levelsOf(sizes, seed);
        const points = levels.flatMap(({ x, values }) => values.map((y) => ({ x, y })));
        const slopes = points.flatMap((a) => points.filter((b) => b.x > a.x).map((b) => (b.y - a.y) / (b.x - a.x)));
        expect(trendSlope(levels, alpha).estimate).toBeCloseTo(median(slopes), 9);
      }),
    );
  });

  it.each([[[4, 4]], [[3, 3, 3]], [[2, 3, 2]]])('has the interval of the slopes that no test rejects: %j', (sizes) => {
    for (const seed of [1, 2, 3]) {
      const levels = levelsOf(sizes, seed);
      const [low, high] = trendSlope(levels, alpha).interval;
      const step = 1e-6;
      expect([low - step, low + step, high - step, high + step].map((slope) => rejects(levels, slope))).toEqual([
        true,
        false,
        false,
        true,
      ]);
    }
  });

  it('of two levels is their shift per unit, with the same interval', () => {
    const [low, high] = levelsOf([6, 7], 4) as [SlopeLevel, SlopeLevel];
    const shifted = shift(low.values, high.values, alpha);
    const slope = trendSlope([high, low], alpha);
    expect(slope.estimate * (high.x - low.x)).toBeCloseTo(shifted.estimate, 9);
    expect(slope.interval.map((end) => end * (high.x - low.x))).toEqual(
      shifted.interval.map((end) => expect.closeTo(end, 9)),
    );
  });

  it('covers the true slope as often as it claims, also where the approximation takes over', () => {
    for (const [size, runs] of [
      [4, 400],
      [40, 60],
    ] as const) {
      let covered = 0;
      for (let run = 0; run < runs; run++) {
        const random = randomStream(run, `coverage-${size}`);
        const levels = [0, 5, 10].map((x) => ({
          x,
          values: Array.from({ length: size }, () => 7 + 0.78 * x - Math.log(random.uniform())),
        }));
        const [low, high] = trendSlope(levels, alpha).interval;
        if (low <= 0.78 && 0.78 <= high) covered++;
      }
      expect(covered / runs).toBeGreaterThan(0.91);
      expect(covered / runs).toBeLessThan(1);
    }
  });

  it('has no interval with too few values, and rejects a single level', () => {
    expect(trendSlope(levelsOf([2, 2], 1), alpha).interval).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
    ]);
    expect(() => trendSlope(levelsOf([3], 1), alpha)).toThrow('two or more different x');
  });
});

describe('pairedSlope', () => {
  const drift = [0, 900, -400, 300, 1200, -800, 500];
  const rounds = (slope: number, levels: readonly number[]): Map<number, number>[] =>
    drift.map(
      (shift, round) => new Map(levels.map((x, at) => [x, 2000 + shift + slope * x + ((round * 3 + at) % 5)] as const)),
    );

  test('is not moved by what a round adds to all its levels, unlike the slope of unpaired values', () => {
    const { estimate, interval } = pairedSlope(rounds(10, [0, 12]), 0.05);
    expect(estimate).toBeCloseTo(10, 0);
    expect(interval[0]).toBeGreaterThan(9);
    expect(interval[1]).toBeLessThan(11);
    const values = (x: number): number[] => rounds(10, [0, 12]).map((round) => round.get(x) as number);
    const unpaired = trendSlope(
      [0, 12].map((x) => ({ x, values: values(x) })),
      0.05,
    );
    expect(unpaired.interval[0]).toBeLessThan(0);
  });

  test('of two levels equals the paired shift per unit of x, and of three the median slope of each round', () => {
    const two = pairedSlope(rounds(3, [1, 5]), 0.05);
    const differences = rounds(3, [1, 5]).map((round) => ((round.get(5) as number) - (round.get(1) as number)) / 4);
    expect(two).toEqual(pairedShift(differences, 0.05));
    const one = new Map([
      [0, 0],
      [1, 10],
      [2, 100],
    ]);
    expect(pairedSlope([one], 0.05).estimate).toBe(50);
  });

  test('leaves out rounds with one level, and fails without any other', () => {
    const lonely = new Map([[1, 5]]);
    expect(pairedSlope([...rounds(2, [0, 4]), lonely], 0.05)).toEqual(pairedSlope(rounds(2, [0, 4]), 0.05));
    expect(() => pairedSlope([lonely], 0.05)).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
  });
});
