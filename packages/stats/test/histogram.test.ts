import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../src/histogram.ts';
import { quantileOfSorted } from '../src/quantile.ts';
import { summarise } from '../src/summary.ts';

const recorded = (values: Iterable<number>): Histogram => {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
};
/** Intervals from 16 ns to 19 h, evenly over the orders of magnitude. */
const interval = fc.double({ min: Math.log(2 ** -6), max: Math.log(2 ** 36), noNaN: true }).map(Math.exp);

describe('a histogram', () => {
  it('gives every order statistic to better than half a unit of the third digit, at any magnitude', () => {
    fc.assert(
      fc.property(fc.array(interval, { minLength: 1, maxLength: 50 }), (values) => {
        const histogram = recorded(values);
        const sorted = [...values].sort((a, b) => a - b);
        sorted.forEach((value, i) => {
          const seen = histogram.quantile(sorted.length === 1 ? 0.5 : i / (sorted.length - 1));
          expect(Math.abs(seen / value - 1)).toBeLessThan(0.0005);
        });
      }),
    );
  });

  it('agrees with the summary of the raw samples, with unfinished ones', () => {
    const random = randomStream(1, 'histogram');
    const values = Array.from({ length: 20_000 }, () => 500 * Math.exp(random.uniform() * 6));
    const histogram = recorded([...values, ...new Array<number>(100).fill(Number.POSITIVE_INFINITY)]);
    const exact = summarise(values, 100);
    const seen = histogram.summarise();
    expect(seen.count).toBe(exact.count);
    expect(seen.p999Us).toBe(Number.POSITIVE_INFINITY);
    expect(seen.minUs).toBe(exact.minUs);
    expect(seen.meanUs / exact.meanUs).toBeCloseTo(1, 9);
    expect(seen.stdUs / exact.stdUs).toBeCloseTo(1, 9);
    for (const key of ['q1Us', 'medianUs', 'q3Us', 'p95Us', 'p99Us'] as const) {
      expect(Math.abs(seen[key] / exact[key] - 1)).toBeLessThan(0.0005);
    }
  });

  it('merged from parts is what one recorder of all would be', () => {
    const values = fc.array(
      fc.oneof({ weight: 9, arbitrary: interval }, { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }),
    );
    fc.assert(
      fc.property(values, values, values, (...parts) => {
        const merged = new Histogram();
        for (const part of parts) merged.merge(recorded(part));
        const whole = recorded(parts.flat());
        const { meanUs, squaresUs2, ...counts } = merged.toJSON();
        const { meanUs: meanOfWhole, squaresUs2: squaresOfWhole, ...countsOfWhole } = whole.toJSON();
        expect(counts).toEqual(countsOfWhole);
        expect(Math.abs(meanUs - meanOfWhole)).toBeLessThanOrEqual(1e-9 * meanOfWhole);
        // Squared deviations of nearly equal values are rounding alone; their scale is that of the values.
        expect(Math.abs(squaresUs2 - squaresOfWhole)).toBeLessThanOrEqual(1e-9 * (squaresOfWhole + meanOfWhole ** 2));
      }),
      { numRuns: 50 },
    );
  });

  it('travels as JSON without loss', () => {
    const histogram = recorded([0, 1.5, 1.5, 1e6, Number.POSITIVE_INFINITY]);
    const copy = Histogram.fromJSON(JSON.parse(JSON.stringify(histogram)));
    expect(copy.toJSON()).toEqual(histogram.toJSON());
    expect(copy.summarise()).toEqual(histogram.summarise());
    expect(Histogram.fromJSON(JSON.parse(JSON.stringify(new Histogram()))).summarise()).toEqual(summarise([]));
  });

  it('takes what lies outside its range, with exact ends, and clock steps below zero', () => {
    const values = [-3, 0, 1e-9, 1e12];
    const histogram = recorded(values);
    expect(histogram.quantile(0)).toBe(-3);
    expect(histogram.quantile(1)).toBe(1e12);
    expect(histogram.summarise().meanUs).toBeCloseTo(quantileOfSorted([summarise(values).meanUs], 0), 0);
  });

  it('refuses what is not a number', () => {
    expect(() => new Histogram().record(Number.NaN)).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
  });
});
