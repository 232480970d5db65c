import { normalQuantile, type RandomStream, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { compareSamples } from '../src/compare-samples.ts';
import { mannWhitney } from '../src/mann-whitney.ts';
import { minimumDetectableEffect, repetitionsNeeded, smallestRejectingN } from '../src/sample-size.ts';
import { signedRank } from '../src/signed-rank.ts';

const infinity = Number.POSITIVE_INFINITY;
const repetitions = (random: RandomStream, n: number, medianUs: number, spread: number) =>
  Array.from({ length: n }, () => medianUs * Math.exp(spread * normalQuantile(random.uniform() || 0.5)));
const tight = [1000, 1003, 1006, 1009, 1012, 1001, 1004, 1007];
const scaled = (values: readonly number[], by: number) => values.map((each, i) => by * each + 0.1 * i);

describe('comparing samples', () => {
  it('finds a slower and a faster candidate, with an interval around the true ratio', () => {
    const slower = compareSamples(tight, scaled(tight, 1.2));
    expect(slower.verdict).toBe('slower');
    expect(slower.differencePercent).toBeCloseTo(20, 0);
    expect(slower.intervalPercent[0]).toBeGreaterThan(18);
    expect(slower.intervalPercent[1]).toBeLessThan(22);
    expect(slower.interval[0]).toBeLessThan(slower.difference);
    expect(slower).toMatchObject({ effectSize: 1, smallestN: 4 });
    expect(slower.pValue).toBeLessThan(0.001);
    const faster = compareSamples(scaled(tight, 1.2), tight);
    expect(faster.verdict).toBe('faster');
    expect(faster.differencePercent).toBeCloseTo(100 * (1 / 1.2 - 1), 0);
  });

  it('finds no difference only when a relevant one is ruled out, and cannot tell otherwise', () => {
    const same = scaled(tight, 1.0005);
    expect(compareSamples(tight, same).verdict).toBe('no difference seen');
    expect(compareSamples(tight, same, { effectThreshold: 0.001 }).verdict).toBe('cannot tell');
    expect(compareSamples([900, 1000, 1100, 1200], [950, 1000, 1050, 1150]).verdict).toBe('cannot tell');
  });

  it('states its smallest detectable effect, and the repetitions for a smaller one', () => {
    const three = compareSamples(tight.slice(0, 3), scaled(tight, 3).slice(0, 3));
    expect(three).toMatchObject({ verdict: 'cannot tell', minimumDetectable: infinity, smallestN: 4, neededN: 4 });
    expect(three.intervalPercent).toEqual([-100, infinity]);
    const wide = compareSamples([900, 1000, 1100, 1200, 1300], [950, 1000, 1050, 1150, 1310]);
    expect(wide.minimumDetectable).toBeGreaterThan(10);
    expect(wide.neededN).toBeGreaterThan(5);
    expect(compareSamples(tight, tight, { paired: true }).smallestN).toBe(6);
  });

  it('uses pairs when the repetitions belong together: a common drift then cancels out', () => {
    const drifting = [1000, 1300, 900, 1500, 1100, 1250, 980, 1400];
    const candidate = drifting.map((each, i) => each * (1.05 + 0.001 * i));
    expect(compareSamples(drifting, candidate).verdict).toBe('cannot tell');
    expect(compareSamples(drifting, candidate, { paired: true })).toMatchObject({ verdict: 'slower', effectSize: 1 });
  });

  it('accepts figures that fall on unfinished requests', () => {
    const lost = new Array<number>(5).fill(infinity);
    const finished = tight.slice(0, 5);
    expect(compareSamples(finished, lost)).toMatchObject({
      verdict: 'slower',
      difference: infinity,
      differencePercent: infinity,
    });
    expect(compareSamples(lost, finished)).toMatchObject({ verdict: 'faster', differencePercent: -100 });
    for (const paired of [false, true]) {
      expect(compareSamples(lost, lost, { paired })).toMatchObject({
        verdict: 'cannot tell',
        minimumDetectable: infinity,
      });
    }
    expect(compareSamples(finished, [...scaled(finished, 1.5).slice(0, 4), infinity])).toMatchObject({
      verdict: 'slower',
    });
  });

  it('is wrong about equal cells at most at the rate alpha', () => {
    const random = randomStream(11, 'equal');
    let alarms = 0;
    for (let i = 0; i < 1000; i++) {
      const { verdict } = compareSamples(repetitions(random, 10, 1000, 0.1), repetitions(random, 10, 1000, 0.1));
      alarms += Number(verdict === 'slower' || verdict === 'faster');
    }
    expect(alarms).toBeLessThan(65);
  });

  it('rejects values without logarithm, empty sides and unequal pairs', () => {
    for (const [a, b, paired] of [
      [[0], [1], false],
      [[], [1], false],
      [[1, 2], [1], true],
    ] as const) {
      expect(() => compareSamples(a, b, { paired })).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
    }
  });
});

describe('the smallest n that can reject', () => {
  it.each([0.1, 0.05, 0.01, 0.001])('is where complete separation first reaches alpha = %d', (alpha) => {
    const ascending = (n: number, from: number) => Array.from({ length: n }, (_, i) => from + i);
    const n = smallestRejectingN(alpha);
    expect(mannWhitney(ascending(n, 0), ascending(n, 100)).pValue).toBeLessThanOrEqual(alpha);
    expect(mannWhitney(ascending(n - 1, 0), ascending(n - 1, 100)).pValue).toBeGreaterThan(alpha);
    const pairs = smallestRejectingN(alpha, { paired: true });
    expect(signedRank(ascending(pairs, 1)).pValue).toBeLessThanOrEqual(alpha);
    expect(signedRank(ascending(pairs - 1, 1)).pValue).toBeGreaterThan(alpha);
  });

  it('is smaller one-sided and larger for several comparisons', () => {
    expect(smallestRejectingN(0.05, { sided: 1 })).toBe(3);
    expect(smallestRejectingN(0.05)).toBe(4);
    expect(smallestRejectingN(0.05, { comparisons: 48 })).toBe(7);
  });
});

describe('the minimum detectable effect', () => {
  it('is found about four times out of five', () => {
    const random = randomStream(12, 'power');
    const spread = 0.05;
    let detectable = 0;
    const pilots = 200;
    for (let i = 0; i < pilots; i++) {
      detectable +=
        compareSamples(repetitions(random, 20, 1000, spread), repetitions(random, 20, 1000, spread)).minimumDetectable /
        pilots;
    }
    let found = 0;
    for (let i = 0; i < 400; i++) {
      const candidate = repetitions(random, 20, 1000 * (1 + detectable / 100), spread);
      found += Number(compareSamples(repetitions(random, 20, 1000, spread), candidate).verdict === 'slower');
    }
    expect(found / 400).toBeGreaterThan(0.72);
    expect(found / 400).toBeLessThan(0.9);
  });

  it('is infinite without an interval, and grows with the requested power', () => {
    expect(minimumDetectableEffect([-infinity, infinity], 0.05)).toBe(infinity);
    expect(minimumDetectableEffect([-1, 1], 0.05, 0.5)).toBeCloseTo(1, 12);
    expect(minimumDetectableEffect([-1, 1], 0.05, 0.9)).toBeGreaterThan(minimumDetectableEffect([-1, 1], 0.05, 0.8));
  });

  it('halves with four times the repetitions', () => {
    expect(repetitionsNeeded(5, 0.1, 0.05, 4)).toBe(20);
    expect(repetitionsNeeded(5, 0.01, 0.05, 4)).toBe(4);
    expect(repetitionsNeeded(3, infinity, 0.05, 4)).toBe(4);
  });
});
