/** Runs whose sides took turns are judged pair by pair. How often a gate errs: `side-by-side.long.test.ts`. */
import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { gate } from '../src/gate.ts';
import { pairsNeeded } from '../src/pairs-needed.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy } from './fixtures/noise.ts';
import { invalid, saturated } from './fixtures/run-of.ts';
import { factors, sides } from './fixtures/sides.ts';

const slower5 = [parseThreshold('rtt.median < +5%')];

/** Rounds that differ by 30% among each other and by 8% between the sides. */
const rounds = noisy(randomStream(1, 'rounds'), 1000, 0.3, 10);
const drifting = () =>
  sides(
    [{ factors: factors(1), mediansUs: rounds }],
    [{ factors: factors(1), mediansUs: rounds.map((value, at) => value * (1.08 + 0.002 * (at % 3))) }],
  );

describe('a gate on side-by-side runs', () => {
  it('compares within each pair and removes drift that both sides share', () => {
    const { baseline, candidate } = drifting();
    const { verdict, thresholds } = gate(candidate, baseline, slower5);
    expect(verdict).toBe('failed');
    expect(thresholds[0]?.pooled?.differencePercent).toBeCloseTo(8.2, 1);
    expect(thresholds[0]?.pooled?.repetitions).toBe(10);
    expect(compareRuns(baseline, candidate).cells[0]).toMatchObject({ verdict: 'slower', pairing: 'by round' });
  });

  it.each([
    ['another measurement', { id: 'other', side: 'candidate', ref: '.' }],
    ['the same side', { id: 'one', side: 'baseline', ref: '.' }],
    ['a run of its own', undefined],
  ] as const)('takes the repetitions of %s for what they are: no pairs', (_name, sideBySide) => {
    const { baseline, candidate } = drifting();
    const { sideBySide: _own, ...record } = candidate.record;
    const other = { ...candidate, record: { ...record, ...(sideBySide && { sideBySide }) } };
    expect(gate(other, baseline, slower5).verdict).toBe('cannot tell');
    expect(compareRuns(baseline, other).cells[0]).toMatchObject({ pairing: 'unpaired' });
  });

  it('reports how many pairs are needed when there are too few to decide', () => {
    const flat = [{ factors: factors(1), mediansUs: [1000, 1001] }];
    const { baseline, candidate } = sides(flat, flat);
    const [threshold] = gate(candidate, baseline, slower5).thresholds;
    expect(threshold).toMatchObject({ verdict: 'cannot tell', repetitionsNeeded: 6 });
    expect(threshold?.reason).toContain('about 6 repetitions a side would tell');
  });

  it('leaves out pairs of which one side is invalid, and cells in which the host was saturated', () => {
    const mediansUs = Array.from({ length: 8 }, () => 1000);
    const spoilt = mediansUs.map((value, at) => (at < 2 ? value * 9 : value));
    const first = sides(
      [{ factors: factors(1), mediansUs }],
      [
        {
          factors: factors(1),
          mediansUs: spoilt,
          change: (entry, repetition) => (repetition <= 2 ? invalid(entry) : entry),
        },
      ],
    );
    expect(gate(first.candidate, first.baseline, slower5)).toMatchObject({
      verdict: 'passed',
      thresholds: [{ pooled: { repetitions: 6 } }],
      notes: ['2 invalid repetitions of the candidate left out'],
    });
    const second = sides([{ factors: factors(1), mediansUs }], [{ factors: factors(1), mediansUs, change: saturated }]);
    expect(gate(second.candidate, second.baseline, slower5).verdict).toBe('cannot tell');
  });
});

describe('the number of pairs', () => {
  const needed = (change: number, spread: number, count = 12) => {
    const random = randomStream(3, 'needed', Math.round(1000 * spread));
    const mediansUs = noisy(random, 1000, spread, count);
    const { baseline, candidate } = sides(
      [{ factors: factors(1), mediansUs: mediansUs.map(() => 1000) }],
      [{ factors: factors(1), mediansUs: mediansUs.map((value) => value * change) }],
    );
    return pairsNeeded(baseline, candidate, slower5);
  };

  it('grows with the square of the spread, from the min that can reject', () => {
    expect(needed(1, 0.001).pairs).toBe(8);
    expect(needed(1, 0.1).pairs / needed(1, 0.05).pairs).toBeCloseTo(4, -1);
    expect(needed(1, 0.05).pairs).toBeGreaterThan(12);
  });

  it('is the textbook size of a sample that finds a change of twice the limit with a power of 95%', () => {
    // One-sided at 2.5%, so 1.96 + 1.645 standard errors between the limit of +50% and +100%.
    const spread = 0.5;
    const textbook = ((1.96 + 1.645) * spread) / Math.log(2 / 1.5);
    const random = randomStream(3, 'textbook');
    const { baseline, candidate } = sides(
      [{ factors: factors(1), mediansUs: Array.from({ length: 200 }, () => 1000) }],
      [{ factors: factors(1), mediansUs: noisy(random, 1000, spread, 200) }],
    );
    const { pairs } = pairsNeeded(baseline, candidate, [parseThreshold('rtt.median < +50%')]);
    expect(pairs / textbook ** 2).toBeGreaterThan(0.8);
    expect(pairs / textbook ** 2).toBeLessThan(1.25);
  });

  it('does not depend on the difference: stopping at a convenient one would inflate the error rate', () => {
    expect(needed(1.2, 0.05)).toEqual(needed(1, 0.05));
    expect(needed(0.5, 0.05)).toEqual(needed(1.05, 0.05));
  });

  it('is at least six when all thresholds are absolute, and counts valid pairs only', () => {
    const { baseline, candidate } = sides(
      [
        {
          factors: factors(1),
          mediansUs: [1, 1, 1],
          change: (entry, repetition) => (repetition === 1 ? invalid(entry) : entry),
        },
      ],
      [{ factors: factors(1), mediansUs: [1, 1, 1] }],
    );
    expect(pairsNeeded(baseline, candidate, [parseThreshold('rtt.p95 < 20ms')])).toEqual({ pairs: 6, have: 2 });
  });
});
