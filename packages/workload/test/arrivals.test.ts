import { type RandomStream, randomStream } from '@topo-bench/core';
import { describe, expect, it, test } from 'vitest';
import { arrivalShard, arrivalTimesUs, rampTimesUs } from '../src/arrivals.ts';

const stream = (seed = 1) => randomStream(seed, 'arrivals', 1);

describe('constant arrivals', () => {
  it('leave every 1/rate from 0 on, rate · duration in number, without drift', () => {
    const times = arrivalTimesUs('constant', 100, 10e6, stream());
    expect(times.length).toBe(1000);
    expect([times[0], times[1], times[999]]).toEqual([0, 10_000, 9_990_000]);
    const thirds = arrivalTimesUs('constant', 3, 1e9, stream());
    expect(thirds.length).toBe(3000);
    expect(thirds[2999]).toBeCloseTo(999_666_666.667, 2);
  });

  it('of a rate that does not divide the duration end before it does', () => {
    const times = arrivalTimesUs('constant', 2.5, 1e6, stream());
    expect([...times]).toEqual([0, 400_000, 800_000]);
  });
});

test('constant arrivals number rate · duration exactly, whatever its rounding', () => {
  for (let tenths = 1; tenths <= 1000; tenths++) {
    for (const seconds of [1, 3, 7, 10, 60]) {
      const { length } = arrivalTimesUs('constant', tenths / 10, seconds * 1e6, stream());
      if (length !== Math.ceil((tenths * seconds) / 10)) expect.fail(`${tenths / 10}/s for ${seconds} s: ${length}`);
    }
  }
});

describe('Poisson arrivals', () => {
  const times = arrivalTimesUs('poisson', 1000, 100e6, stream());
  const gaps = times.map((time, i) => time - (i === 0 ? 0 : (times[i - 1] as number)));

  it('ascend within the duration and number rate · duration within five standard deviations', () => {
    expect(gaps.every((gap) => gap >= 0)).toBe(true);
    expect(times.at(-1)).toBeLessThan(100e6);
    expect(Math.abs(times.length - 100_000)).toBeLessThan(5 * Math.sqrt(100_000));
  });

  it('have exponential gaps: mean and standard deviation 1/rate, a share e⁻¹ above the mean, no serial correlation', () => {
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(mean).toBeGreaterThan(980);
    expect(mean).toBeLessThan(1020);
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
    expect(gaps.filter((gap) => gap > mean).length / gaps.length).toBeCloseTo(Math.exp(-1), 2);
    let covariance = 0;
    for (let i = 1; i < gaps.length; i++) covariance += ((gaps[i] as number) - mean) * ((gaps[i - 1] as number) - mean);
    expect(Math.abs(covariance / gaps.length / variance)).toBeLessThan(5 / Math.sqrt(gaps.length));
  });

  it('have Poisson counts per second: variance equals mean', () => {
    const counts = new Array<number>(100).fill(0);
    for (const time of times) counts[Math.floor(time / 1e6)] = (counts[Math.floor(time / 1e6)] as number) + 1;
    const mean = times.length / 100;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 99;
    // χ² with 99 degrees of freedom, 1e-5 quantiles about 49 and 172.
    expect((variance / mean) * 99).toBeGreaterThan(49);
    expect((variance / mean) * 99).toBeLessThan(172);
  });

  it('are the same for the same stream and others for another', () => {
    expect(arrivalTimesUs('poisson', 1000, 1e6, stream())).toEqual(arrivalTimesUs('poisson', 1000, 1e6, stream()));
    expect(arrivalTimesUs('poisson', 1000, 1e6, stream(2))).not.toEqual(arrivalTimesUs('poisson', 1000, 1e6, stream()));
  });
});

describe('a schedule', () => {
  it.each([
    [0, 1e6],
    [-1, 1e6],
    [Number.NaN, 1e6],
    [Number.POSITIVE_INFINITY, 1e6],
    [100, 0],
    [1e9, 60e6],
  ])('of %d req/s for %d µs is refused', (rate, duration) => {
    for (const law of ['constant', 'poisson'] as const) {
      expect(() => arrivalTimesUs(law, rate, duration, stream())).toThrow(
        expect.objectContaining({ code: 'TB_LOAD_OUT_OF_RANGE' }),
      );
    }
  });

  it.each([1, 2, 3, 7, 2000])('is sent whole and once by %d processes', (parts) => {
    const times = arrivalTimesUs('poisson', 1000, 1e6, stream());
    const seen = new Map<number, number>();
    for (let part = 0; part < parts; part++) {
      const { indexes, timesUs } = arrivalShard(times, part, parts);
      expect(indexes.length).toBe(timesUs.length);
      indexes.forEach((index, i) => {
        expect(seen.has(index)).toBe(false);
        seen.set(index, timesUs[i] as number);
      });
    }
    expect([...seen].sort(([a], [b]) => a - b).map(([, time]) => time)).toEqual([...times]);
  });
});

describe('a ramp', () => {
  const ramp = { fromRps: 100, toRps: 1000, durationUs: 10e6 };
  /** Requests due until a time, in µs: the integral of the rate. */
  const dueUntil = (us: number): number => 100 * (us / 1e6) + (90 * (us / 1e6) ** 2) / 2;

  it('sends as many requests until any time as the rate is integrated to', () => {
    const times = rampTimesUs('constant', ramp, stream());
    expect(times.length).toBe(5500);
    for (const at of [0, 1, 999, 5499]) expect(dueUntil(times[at] as number)).toBeCloseTo(at, 3);
    expect(times.at(-1)).toBeLessThan(10e6);
    const down = rampTimesUs('constant', { ...ramp, fromRps: 1000, toRps: 100 }, stream());
    expect(down.filter((us) => us < 5e6).length).toBeCloseTo(1000 * 5 - (90 * 25) / 2, -1);
  });

  it('sends a request that is due at the last instant before its end', () => {
    for (let i = 1; i <= 200; i++) {
      const [fromRps, toRps, durationUs] = [i / 100, 3, 1e6];
      const last = latestFirstArrival((fromRps + toRps) / 2, durationUs);
      const [us] = rampTimesUs('poisson', { fromRps, toRps, durationUs }, oneArrival(last));
      if (!((us as number) < durationUs)) expect.fail(`from ${fromRps}/s: ${us} µs`);
    }
  });

  it('with equal ends is no ramp', () => {
    const even = rampTimesUs('poisson', { ...ramp, toRps: 100 }, stream());
    const expected = arrivalTimesUs('poisson', 100, 10e6, stream());
    expect(even.length).toBe(expected.length);
    for (const [at, us] of even.entries()) expect(us).toBeCloseTo(expected[at] as number, 2);
  });

  it('of Poisson arrivals has a count per second of the right mean and variance', () => {
    const counts = Array.from({ length: 400 }, (_, seed) => {
      const times = rampTimesUs('poisson', ramp, stream(seed + 1));
      return times.filter((us) => us >= 9e6).length;
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
    const expected = dueUntil(10e6) - dueUntil(9e6);
    expect(Math.abs(mean - expected)).toBeLessThan(5 * Math.sqrt(expected / counts.length));
    expect(variance / expected).toBeGreaterThan(0.7);
    expect(variance / expected).toBeLessThan(1.35);
  });

  it('needs a rate above 0 at both ends', () => {
    expect(() => rampTimesUs('constant', { ...ramp, fromRps: 0 }, stream())).toThrow(/0 req\/s for 10 s/);
  });
});

/** A stream whose first draw is given and whose second ends every schedule. */
function oneArrival(first: number): RandomStream {
  const draws = [first, 1 - 2 ** -53];
  return { uniform: () => draws.shift() as number, integer: () => 0 };
}

/** Largest draw whose arrival is before the end, by bisection. */
function latestFirstArrival(rateRps: number, durationUs: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (arrivalTimesUs('poisson', rateRps, durationUs, oneArrival(middle)).length === 1) low = middle;
    else high = middle;
  }
  return low;
}
