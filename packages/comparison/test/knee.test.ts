import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KneeLevel, kneeOf } from '../src/knee.ts';

const rates = [10, 20, 40, 80, 160];
const infinity = Number.POSITIVE_INFINITY;

/** Repetitions of a station with one server: its median time is proportional to 1 / (μ − λ), and +∞ from λ = μ on. */
function station(serviceRate: number, repetitions: number, seed: number, noise = 0.05): KneeLevel[] {
  const random = randomStream(seed, 'knee');
  return rates.map((x) => ({
    x,
    values: Array.from({ length: repetitions }, () => {
      const bell = random.uniform() + random.uniform() + random.uniform() - 1.5;
      return x >= serviceRate ? infinity : (1e6 * Math.LN2 * Math.exp(2 * noise * bell)) / (serviceRate - x);
    }),
  }));
}

/** The rate at which that median is twice the one at the lowest rate, by algebra. */
function trueKnee(serviceRate: number): number {
  return (serviceRate + (rates[0] as number)) / 2;
}

describe('the knee', () => {
  it('lies between the levels around the one that theory names', () => {
    expect(kneeOf(station(100, 5, 1))).toEqual({ after: 40, before: 80, open: [] });
    expect(kneeOf(station(50, 5, 1))).toEqual({ after: 20, before: 40, open: [] });
    expect(kneeOf(station(1000, 5, 1))).toEqual({ after: 160, before: undefined, open: [] });
  });

  it('brackets the truth in at least 95 of 100 runs, however noisy they are', () => {
    for (const noise of [0.02, 0.2, 0.6]) {
      let wrong = 0;
      for (let run = 0; run < 300; run++) {
        const serviceRate = 30 + run;
        const truth = trueKnee(serviceRate);
        const { after, before = infinity } = kneeOf(station(serviceRate, 5, run, noise))!;
        if (truth < after || truth > before) wrong++;
      }
      expect(wrong).toBeLessThanOrEqual(15 + 7);
    }
  });

  it('is not sought above a lowest level that was at its limit', () => {
    const [lowest, ...others] = station(100, 5, 1) as [KneeLevel, ...KneeLevel[]];
    expect(kneeOf([{ ...lowest, atLimit: true }, ...others])).toBeUndefined();
    expect(kneeOf([lowest, ...others.map((level) => ({ ...level, atLimit: true }))])).toMatchObject({ after: 40 });
  });

  it('claims nothing with three repetitions, nor where all levels are alike', () => {
    expect(kneeOf(station(100, 3, 1))).toEqual({ after: 10, before: undefined, open: [20, 40, 80, 160] });
    const alike = rates.map((x) => ({ x, values: [100, 101, 99, 100.5, 98] }));
    expect(kneeOf(alike)).toEqual({ after: 160, before: undefined, open: [] });
  });

  it('does not depend on the order of levels and repetitions, nor on the unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 4, max: 7 }), fc.nat(), (rate, n, seed) => {
        const levels = station(rate, n, seed, 0.3);
        const others = levels
          .toReversed()
          .map(({ x, values }) => ({ x, values: values.toReversed().map((v) => v / 7) }));
        expect(kneeOf(others)).toEqual(kneeOf(levels));
      }),
    );
  });

  it('never leaves a level on two sides, and keeps the order after < open < before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.double({ min: 1, max: 50, noNaN: true }), { minLength: 1, maxLength: 8 }), {
          minLength: 2,
          maxLength: 6,
        }),
        (all) => {
          const levels = all.map((values, at) => ({ x: at + 1, values }));
          const { after, before = levels.length + 1, open } = kneeOf(levels)!;
          expect(open).toEqual(Array.from({ length: before - after - 1 }, (_, at) => after + 1 + at));
        },
      ),
    );
  });

  it('expects time in proportion to a number of services', () => {
    const chain = rates.map((x) => ({ x, values: [1, 1.01, 0.99, 1.02, 0.98].map((noise) => noise * x) }));
    expect(kneeOf(chain, { expected: 'proportional' })).toMatchObject({ after: 160, before: undefined });
    expect(kneeOf(chain)).toMatchObject({ after: 10, before: 40 });
  });

  it('has no answer without a reference that was borne', () => {
    expect(
      kneeOf([
        { x: 10, values: [infinity, infinity] },
        { x: 20, values: [infinity] },
      ]),
    ).toBeUndefined();
    expect(
      kneeOf([
        { x: 10, values: [1] },
        { x: 20, values: [] },
      ]),
    ).toBeUndefined();
  });
});
