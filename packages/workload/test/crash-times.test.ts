import { describe, expect, it } from 'vitest';
import { crashTimesUs } from '../src/crash-times.ts';

const second = 1e6;
const load = { seed: 1, repetition: 1, durationUs: 100_000 * second };

describe('times of crashes', () => {
  it('are apart by the time of a run and the time down', () => {
    const crashes = { law: 'constant', meanUs: 3 * second, downUs: second } as const;
    expect(crashTimesUs(crashes, 'a', { ...load, durationUs: 12 * second })).toEqual([3e6, 7e6]);
  });

  it('have the mean and the variation of the exponential law', () => {
    const times = crashTimesUs({ law: 'exponential', meanUs: 20 * second, downUs: 2 * second }, 'a', load);
    const gaps = times.map((us, at) => us - (times[at - 1] ?? -2 * second) - 2 * second);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    // About 4500 draws: five standard errors of the mean are 1.5 s.
    expect(Math.abs(mean - 20 * second)).toBeLessThan(1.5 * second);
    expect(Math.abs(deviation - 20 * second)).toBeLessThan(2 * second);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  });

  it('depend on seed, repetition and role', () => {
    const of = (role: string, changes = {}) =>
      crashTimesUs({ law: 'exponential', meanUs: second, downUs: second }, role, {
        ...load,
        durationUs: 20e6,
        ...changes,
      });
    expect(of('a')).toEqual(of('a'));
    for (const other of [of('b'), of('a', { seed: 2 }), of('a', { repetition: 2 })]) expect(other).not.toEqual(of('a'));
  });

  it('leave out a crash whose end is not within the load, and end where nothing lasts', () => {
    const crashes = { law: 'constant', meanUs: 3 * second, downUs: second } as const;
    expect(crashTimesUs(crashes, 'a', { ...load, durationUs: 4 * second })).toEqual([]);
    expect(crashTimesUs({ law: 'constant', meanUs: 0, downUs: 0 }, 'a', load)).toEqual([]);
  });
});
