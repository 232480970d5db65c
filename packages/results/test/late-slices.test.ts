import type { Sample } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLate, limitOf } from '../src/lag-limit.ts';
import { lateSlices, meanLagErrorUs, type SlicedLoad, withoutSlices } from '../src/late-slices.ts';

const periodUs = 1_000_000;
const slices = 10;

/** Twenty requests a slice with a round trip of 11 ms; the lag of each in µs. */
function side(lagUs: (slice: number, request: number) => number, rttUs = 11_000): Sample[] {
  return Array.from({ length: slices * 20 }, (_, at) => {
    const [slice, request] = [Math.floor(at / 20), at % 20];
    const intendedUs = slice * periodUs + request * 20_000;
    const sentUs = intendedUs + lagUs(slice, request);
    const base = { id: String(at), class: 'a', status: 200, outcome: 'completed' as const, rule: null, error: null };
    return {
      ...base,
      ...{ intendedUs, sentUs, doneUs: sentUs + rttUs, rttUs },
      ...{ hops: 1, hopsBetweenNodes: 0, exposureBytes: {}, steps: [] },
    };
  });
}

const load = (...sides: Sample[][]): SlicedLoad => ({
  sides,
  periodUs,
  durationUs: slices * periodUs,
  smallestDifference: 0.05,
  rateRps: 50,
});
const onTime = side(() => 20);
/** As on a machine where others take the processor for a while. */
const lateIn = (...late: number[]) => side((slice) => (late.includes(slice) ? 60_000 : 20));

describe('slices with late requests', () => {
  it('are none where no side is late', () => {
    expect(lateSlices(load(onTime, onTime))).toEqual(new Set());
    // One request in a hundred may be as late as it likes.
    expect(
      lateSlices(
        load(
          onTime,
          side((slice, request) => (slice + request === 0 ? 5000 : 20)),
        ),
      ),
    ).toEqual(new Set());
  });

  it('are those of any side, whichever it is', () => {
    expect(lateSlices(load(onTime, lateIn(3, 7)))).toEqual(new Set([3, 7]));
    expect(lateSlices(load(lateIn(3), lateIn(7)))).toEqual(lateSlices(load(lateIn(7), lateIn(3))));
  });

  it('are none where all sides are late alike, unless the lateness makes bursts of their requests', () => {
    const both = side((slice) => (slice % 2 === 0 ? 8000 : 20));
    expect(lateSlices(load(both, both))).toEqual(new Set());
    // A delay in one slice may meet either side; one in all slices of a side is none of chance, and cannot be left out.
    const once = side((slice) => (slice === 3 ? 8000 : 20));
    expect(lateSlices(load(once, onTime))).toEqual(new Set());
    const [always, late] = [side(() => 2000), { medianUs: 11_000, smallestDifference: 0.05 }];
    const lag = { p99Us: 2000, meanUs: 2000, meanErrorUs: meanLagErrorUs(always, periodUs) };
    const others = [{ p99Us: 20, meanUs: 20, meanErrorUs: meanLagErrorUs(onTime, periodUs) }];
    expect(isLate(lag, limitOf({ lag, ...late, inTurns: { rateRps: 50, others } }))).toBe(true);
    expect(lateSlices(load(always, onTime))).toEqual(new Set());
    // A mean lag of 5.1 ms, above a quarter of the 20 ms between two requests, and of 5 ms without one slice.
    const bursts = side((slice) => (slice < 8 ? 6400 : 20));
    expect(lateSlices(load(bursts, bursts)).size).toBe(1);
  });

  it('have a standard error of their mean lag by slices, since lags of one slice depend on each other', () => {
    // Slice means of 0 and 1 ms in turn: the error of their mean is that of ten observations.
    expect(
      meanLagErrorUs(
        side((slice) => (slice % 2) * 1000),
        periodUs,
      ),
    ).toBeCloseTo(1000 * Math.sqrt(0.25 / 9), 6);
    expect(
      meanLagErrorUs(
        side((_, request) => (request % 2) * 1000),
        periodUs,
      ),
    ).toBeCloseTo(0, 6);
    expect(meanLagErrorUs([], periodUs)).toBeNaN();
  });

  it('are found where requests left in the wrong second, although few of them', () => {
    const stalled = side((slice, request) => (slice === 4 && request >= 18 ? 700_000 : 20));
    expect(lateSlices(load(stalled, onTime))).toEqual(new Set([4]));
  });

  it('are those with the largest mean lag, however many requests they have', () => {
    // The full slice 2 has the larger sum of lags. Without either slice the load is on time.
    const uneven = side((slice) => (slice === 6 ? 200_000 : slice === 2 ? 44_000 : 20)).filter(
      ({ intendedUs }) => Math.floor(intendedUs / periodUs) !== 6 || intendedUs % periodUs < 80_000,
    );
    expect(lateSlices(load(uneven, onTime))).toEqual(new Set([6]));
  });

  it('are no more than needed: a larger difference allows more lag', () => {
    const sides = load(onTime, lateIn(3));
    expect(lateSlices({ ...sides, smallestDifference: 1.2 })).toEqual(new Set());
  });

  it('are at most half: a load that was late all the time stays whole, and late', () => {
    expect(lateSlices(load(onTime, lateIn(0, 1, 2, 3, 4)))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(lateSlices(load(onTime, lateIn(0, 1, 2, 3, 4, 5)))).toEqual(new Set());
  });

  it('are the same when the sides are exchanged, and take the same requests from both', () => {
    const lag = fc.array(fc.oneof(fc.constant(20), fc.integer({ min: 0, max: 4000 })), {
      minLength: slices,
      maxLength: slices,
    });
    fc.assert(
      fc.property(lag, lag, fc.integer({ min: 5000, max: 40_000 }), (one, other, rttUs) => {
        const [a, b] = [side((slice) => one[slice] as number), side((slice) => other[slice] as number, rttUs)];
        const leftOut = lateSlices(load(a, b));
        expect(lateSlices(load(b, a))).toEqual(leftOut);
        const ids = [a, b].map((samples) => withoutSlices(samples, periodUs, leftOut).map(({ id }) => id));
        expect(ids[0]).toEqual(ids[1]);
        expect(ids[0]).toHaveLength(20 * (slices - leftOut.size));
      }),
    );
  });
});
