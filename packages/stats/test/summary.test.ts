import { summary } from '@topo-bench/core/schema/result';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, quantileOfSorted } from '../src/quantile.ts';
import { summarise } from '../src/summary.ts';

const infinity = Number.POSITIVE_INFINITY;

describe('a quantile', () => {
  // R: quantile(c(1, 2, 4, 8, 16), q), type 7.
  it.each([
    [0, 1],
    [0.1, 1.4],
    [0.25, 2],
    [0.5, 4],
    [0.9, 12.8],
    [0.95, 14.4],
    [1, 16],
  ])('%d of 1, 2, 4, 8, 16 is %d, as R has it', (q, expected) => {
    expect(quantileOfSorted([1, 2, 4, 8, 16], q)).toBeCloseTo(expected, 12);
  });

  it('is infinite exactly when it depends on an unfinished request', () => {
    const values = [1, 2, 3, 4, infinity];
    expect(quantileOfSorted(values, 0.75)).toBe(4);
    expect(quantileOfSorted(values, 0.7500001)).toBe(infinity);
    expect(quantileOfSorted([1, infinity, infinity], 0.75)).toBe(infinity);
  });

  it('of no values is NaN, of one value that value', () => {
    expect(quantileOfSorted([], 0.5)).toBeNaN();
    expect(quantileOfSorted([7], 0.99)).toBe(7);
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('stays between the order statistics around it', () => {
    const values = fc.array(fc.double({ noNaN: true, min: 0, max: 1e12 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (list, q) => {
        const sorted = [...list].sort((a, b) => a - b);
        const place = q * (sorted.length - 1);
        const value = quantileOfSorted(sorted, q);
        expect(value).toBeGreaterThanOrEqual(sorted[Math.floor(place)] as number);
        expect(value).toBeLessThanOrEqual((sorted[Math.ceil(place)] as number) * (1 + 1e-12));
      }),
    );
  });
});

describe('a summary', () => {
  it('has the figures of a sample worked out by hand', () => {
    expect(summarise([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      count: 8,
      minUs: 2,
      q1Us: 4,
      medianUs: 4.5,
      q3Us: 5.5,
      p95Us: expect.closeTo(8.3, 12),
      p99Us: expect.closeTo(8.86, 12),
      p999Us: expect.closeTo(8.986, 12),
      maxUs: 9,
      meanUs: 5,
      stdUs: expect.closeTo(Math.sqrt(32 / 7), 12),
    });
  });

  it('counts unfinished requests as infinite in every figure, mean and deviation included', () => {
    const expected = summarise([1, 2, 3, infinity, infinity]);
    expect(summarise([3, 1, 2], 2)).toEqual(expected);
    expect(summarise([infinity, 3, 1, 2], 1)).toEqual(expected);
    expect(expected).toMatchObject({
      count: 5,
      medianUs: 3,
      q3Us: infinity,
      p95Us: infinity,
      maxUs: infinity,
      meanUs: infinity,
      stdUs: infinity,
    });
  });

  it('of no values, of unfinished ones alone and of one value has NaN for undefined figures', () => {
    expect(summarise([])).toMatchObject({
      count: 0,
      minUs: Number.NaN,
      medianUs: Number.NaN,
      meanUs: Number.NaN,
      stdUs: Number.NaN,
    });
    expect(summarise([], 3)).toMatchObject({
      count: 3,
      minUs: infinity,
      medianUs: infinity,
      meanUs: infinity,
      stdUs: infinity,
    });
    expect(summarise([5])).toMatchObject({ count: 1, minUs: 5, p999Us: 5, meanUs: 5, stdUs: Number.NaN });
  });

  it('does not reorder its input', () => {
    const values = new Float64Array([3, 1, 2]);
    summarise(values);
    expect([...values]).toEqual([3, 1, 2]);
  });

  it('keeps the spread of values far from zero', () => {
    expect(summarise([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]).stdUs).toBeCloseTo(Math.sqrt(30), 9);
  });

  it('rejects NaN and minus infinity', () => {
    for (const bad of [Number.NaN, -infinity]) {
      expect(() => summarise([1, bad])).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
    }
  });

  it('of an older result, with a mean of the finished requests alone, gets an infinite mean', () => {
    const older = { ...summarise([1, 2, 3, infinity]), meanUs: 2, stdUs: 1 };
    const text = JSON.stringify(older, (_, value: unknown) => (value === infinity ? 'Infinity' : value));
    expect(summary.parse(JSON.parse(text))).toMatchObject({ count: 4, q1Us: 1.75, meanUs: infinity, stdUs: infinity });
    const finished = summarise([1, 2, 3]);
    expect(summary.parse(JSON.parse(JSON.stringify(finished)))).toEqual(finished);
  });

  it('survives JSON with its infinite and missing figures', () => {
    for (const original of [summarise([1, 2, 3], 1), summarise([]), summarise([1, 2])]) {
      const text = JSON.stringify(original, (_, value: unknown) => (value === infinity ? 'Infinity' : value));
      expect(summary.parse(JSON.parse(text))).toEqual(original);
    }
  });
});
