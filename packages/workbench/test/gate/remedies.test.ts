import { parseThreshold, thresholdThatTells } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Sides } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { exampleCell, exampleRecord } from '../../../results/test/fixtures/example-record.ts';
import { judge } from '../../src/gate/pairing.ts';
import { remedyOf } from '../../src/gate/remedies.ts';

const factors = { architecture: 'sidecar' };
const threshold = parseThreshold('rtt.median < +5%');
const quiet = { host: { idlePercent: 70 } };
/** Pairs of equal sides that differ by up to a fifth. */
const spread = [1.2, 0.85, 1.1, 0.9, 1.04, 1.15, 0.88, 0.97, 1.08, 1.02];

function sidesOf(ratios: readonly number[], more: Partial<Cell> = {}): Sides<RunFolder> {
  const side = (name: 'baseline' | 'candidate', ratio: (pair: number) => number): RunFolder => ({
    folder: name,
    record: exampleRecord({
      plannedCells: [factors],
      repetitions: ratios.length,
      sideBySide: { id: 'one', side: name, ref: name },
    }),
    cells: ratios.map((_, at) => {
      const entry = exampleCell(factors, at + 1);
      const rtt = { ...entry.rtt, medianUs: 10_000 * ratio(at) };
      const validity = { valid: true, reasons: [], flags: [] };
      return { ...entry, offeredRps: 40, resources: quiet, validity, ...more, rtt };
    }),
  });
  return { baseline: side('baseline', () => 1), candidate: side('candidate', (at) => ratios[at] as number) };
}

describe('a remedy', () => {
  it('is the nearest threshold with which these pairs would have had a verdict, for the next gate', () => {
    const sides = sidesOf(spread);
    const text = thresholdThatTells(sides.baseline, sides.candidate, threshold) as string;
    expect(text).toMatch(/^rtt\.median < \+\d+(\.5)?%$/);
    expect(judge(sides, [threshold]).verdict).toBe('cannot tell');
    expect(judge(sides, [parseThreshold(text)]).verdict).toBe('passed');
    expect(remedyOf(sides, [threshold])).toBe(
      `what would tell in the next gate, or needs fewer pairs: --threshold '${text}' (for these pairs a new limit is a second look, not a verdict)`,
    );
  });

  it('is a threshold that these pairs decide, whatever change they saw, and whatever else is judged', () => {
    let offered = 0;
    for (const change of [1, 1.03, 1.06, 1.09, 1.12, 1.2]) {
      const sides = sidesOf([...spread, 1.05, 0.93].map((ratio) => change * ratio ** 0.4));
      for (const others of [[], ['rtt.p95 < +50%', 'rtt.p99 < +50%', 'responseTime.median < +50%']]) {
        const all = [threshold, ...others.map((text) => parseThreshold(text))];
        const text = thresholdThatTells(sides.baseline, sides.candidate, threshold, all.length);
        if (text === undefined) continue;
        offered++;
        const [own] = judge(sides, all).thresholds;
        const [wider] = judge(sides, [parseThreshold(text), ...all.slice(1)]).thresholds;
        expect([own?.verdict, wider?.verdict], `${change}: ${text}`).toEqual(['cannot tell', 'passed']);
      }
    }
    expect(offered).toBeGreaterThanOrEqual(4);
  });

  it('is no threshold where the demanded one is an improvement, or none is wide enough', () => {
    const { baseline, candidate } = sidesOf(spread);
    expect(thresholdThatTells(baseline, candidate, parseThreshold('rtt.median < -5%'))).toBeUndefined();
    const wild = sidesOf([1, 30, 0.1, 4, 0.02, 9, 1, 0.3]);
    expect(thresholdThatTells(wild.baseline, wild.candidate, threshold)).toBeUndefined();
  });

  it('names a lower rate where queues form, privileges where requests left late, and other programs', () => {
    const remedy = remedyOf(
      sidesOf(spread, {
        resources: { host: { idlePercent: 12, foreignPercent: 40 }, service: { eventLoopUtilization: 0.6 } },
        generator: { realTimePriority: false },
        validity: { valid: false, reasons: ['late'], flags: ['foreign-load'], onlyLate: true },
      }),
      [threshold],
    );
    expect(remedy).toContain('a rate of 20 req/s');
    expect(remedy).toContain('real-time priority of the load generator (topo-bench doctor)');
    expect(remedy).toContain('a machine without the other programs');
    expect(remedy).not.toContain('--threshold');
  });
});

describe('the forecast of a gate that measured its pairs', () => {
  it('is the one of its pairs: the reason of the threshold has none of its own', () => {
    const [own] = judge(sidesOf(spread), [threshold]).thresholds;
    expect(own?.reason).toContain('a side would tell');
    expect(own?.repetitionsNeeded).toBeGreaterThan(spread.length);
    const [without] = judge(sidesOf(spread), [threshold], [], { forecast: false }).thresholds;
    expect(without?.verdict).toBe('cannot tell');
    expect(without?.reason).not.toContain('would tell');
    expect(without).not.toHaveProperty('repetitionsNeeded');
  });
});
