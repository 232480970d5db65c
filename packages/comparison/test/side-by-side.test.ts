/** Runs whose sides took turns: judged pair by pair, and measured for as long as their spread asks for. */
import { type RunFolder, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { gate, gateAlpha } from '../src/gate.ts';
import type { GateVerdict } from '../src/gate-result.ts';
import { pairsNeeded } from '../src/pairs-needed.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy, normal } from './fixtures/noise.ts';
import { type CellFigures, invalid, runOf, saturated } from './fixtures/run-of.ts';

const slower5 = [parseThreshold('rtt.median < +5%')];
const factors = (rate: number) => ({ architecture: 'sidecar', rate });

function sides(
  baseline: CellFigures[],
  candidate: CellFigures[],
  id = 'one',
): { baseline: RunFolder; candidate: RunFolder } {
  return {
    baseline: runOf(baseline, { sideBySide: { id, side: 'baseline', ref: '../base' } }),
    candidate: runOf(candidate, { sideBySide: { id, side: 'candidate', ref: '.' } }),
  };
}

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

describe('a gate that chooses its number of pairs', () => {
  const most = 20;

  /** Two cells whose rounds drift together; measured until the spread is known well enough, at most 20 pairs. */
  function gates(
    count: number,
    change: number,
    spread: number,
  ): { verdicts: Record<GateVerdict, number>; meanPairs: number } {
    const verdicts = { passed: 0, failed: 0, 'cannot tell': 0 };
    let all = 0;
    for (let one = 0; one < count; one++) {
      const random = randomStream(one, 'adaptive', Math.round(1000 * change), Math.round(1000 * spread));
      const drift = Array.from({ length: most }, () => Math.exp(0.1 * normal(random)));
      const figures = (factor: number) =>
        [800, 5000].map((centre) =>
          noisy(random, centre * factor, spread / Math.SQRT2, most).map((value, at) => value * (drift[at] as number)),
        );
      const [from, to] = [figures(1), figures(change)];
      const cut = (values: number[][], pairs: number): CellFigures[] =>
        values.map((mediansUs, rate) => ({ factors: factors(rate), mediansUs: mediansUs.slice(0, pairs) }));
      for (let pairs = 1; ; pairs++) {
        const { baseline, candidate } = sides(cut(from, pairs), cut(to, pairs));
        const { pairs: wanted, have } = pairsNeeded(baseline, candidate, slower5);
        if (have < wanted && pairs < most) continue;
        all += pairs;
        verdicts[gate(candidate, baseline, slower5).verdict]++;
        break;
      }
    }
    return { verdicts, meanPairs: all / count };
  }

  /** Mean plus three standard deviations. */
  const bound = (count: number, rate: number): number => count * rate + 3 * Math.sqrt(count * rate * (1 - rate));

  it.each([0.02, 0.04])('keeps the stated error rate at the limit itself, with %d spread', (spread) => {
    const { verdicts } = gates(400, 1.05, spread);
    expect(verdicts.failed).toBeLessThanOrEqual(bound(400, gateAlpha));
    expect(verdicts.passed).toBeLessThanOrEqual(bound(400, gateAlpha / 2));
  });

  it('rarely alarms on an unchanged candidate, and finds 10% with the min number of pairs for the spread', () => {
    const unchanged = gates(300, 1, 0.04);
    expect(unchanged.verdicts.failed).toBe(0);
    const [quiet, noisier] = [gates(100, 1.1, 0.02), gates(100, 1.1, 0.06)];
    expect(quiet.verdicts.failed).toBeGreaterThanOrEqual(99);
    expect(noisier.verdicts.failed).toBeGreaterThanOrEqual(90);
    expect(quiet.meanPairs).toBeLessThan(9);
    expect(noisier.meanPairs).toBeGreaterThan(quiet.meanPairs + 2);
  });
});
