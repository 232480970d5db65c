/** A gate on many cells: what it finds in one of them, what it must not claim, and what it reports about both. */
import { gateJunit, gateMarkdown } from '@topo-bench/report/gate';
import { describe, expect, it, test } from 'vitest';
import { cellLines } from '../src/cell-detection.ts';
import { gate } from '../src/gate.ts';
import { gateAlpha } from '../src/pairs-for-limit.ts';
import { parseThreshold } from '../src/threshold.ts';
import { type CellFigures, runOf } from './fixtures/run-of.ts';
import { type GateTruth, syntheticGate } from './fixtures/synthetic-gates.ts';

/** The share of the series that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.3;

const thresholds = [parseThreshold('rtt.median < +5%')];

/** Cells whose repetitions spread by a percent or two, each in its own way. */
function cells(count: number, repetitions: number, slower: (cell: number) => number = () => 1): CellFigures[] {
  return Array.from({ length: count }, (_, cell) => ({
    factors: { architecture: 'sidecar', rate: cell },
    mediansUs: Array.from(
      { length: repetitions },
      (_value, at) =>
        (1000 + ((at * (3 + cell)) % 7) + 2 * (at % 5)) * slower(cell) * (slower(cell) === 1 ? 1 : 1 + at / 400),
    ),
  }));
}

function judge(candidate: CellFigures[], baseline: CellFigures[], sideBySide: boolean) {
  const side = (name: 'baseline' | 'candidate') =>
    sideBySide ? { sideBySide: { id: 'one', side: name, ref: name } } : {};
  return gate(runOf(candidate, side('candidate')), runOf(baseline, side('baseline')), thresholds);
}

const onlyThird = (change: number) => (cell: number) => (cell === 2 ? change : 1);

describe('one cell of many', () => {
  it.each([
    [7, 1.3],
    [12, 1.5],
    [40, 1.2],
  ])('of %d that is slower fails a gate of eight pairs: × %d', (count, change) => {
    const result = judge(cells(count, 8, onlyThird(change)), cells(count, 8), true);
    expect(result.verdict).toBe('failed');
    expect(result.thresholds[0]?.cells.filter(({ passed }) => passed === false)).toMatchObject([
      { factors: { rate: 2 } },
    ]);
  });

  it('of twelve that is slower fails a gate on files with five repetitions a side', () => {
    expect(judge(cells(12, 5, onlyThird(1.5)), cells(12, 5), false).verdict).toBe('failed');
    expect(judge(cells(12, 5), cells(12, 5), false).verdict).toBe('passed');
  });

  it('with too few pairs of its own leaves the gate undecided: nothing could have failed there', () => {
    const baseline = cells(12, 8);
    const [first, ...others] = cells(12, 8);
    const few = { ...(first as CellFigures), mediansUs: first?.mediansUs.slice(0, 5) as number[] };
    const { verdict, thresholds: [result] = [] } = judge([few, ...others], baseline, true);
    expect(verdict).toBe('cannot tell');
    expect(result?.reason).toContain('in 1 of 12 cells no change could have been shown');
    expect(result?.cells[0]?.detectablePercent).toBe(Number.POSITIVE_INFINITY);
    expect(judge(cells(12, 8), baseline, true).verdict).toBe('passed');
  });

  it('that exceeds the limit by its own p-value but not by the adjusted one leaves the gate undecided', () => {
    const noisy = cells(12, 8);
    const third = noisy[2] as CellFigures;
    const changes = [1.03, 1.1, 1.07, 1.13, 1.045, 1.1, 1.08, 1.12];
    const disturbed = third.mediansUs.map((value, at) => value * (changes[at] as number));
    const { verdict, thresholds: [result] = [] } = judge(
      noisy.map((cell) => (cell === third ? { ...cell, mediansUs: disturbed } : cell)),
      cells(12, 8),
      true,
    );
    const cell = result?.cells[2];
    expect(cell?.pValue).toBeLessThanOrEqual(gateAlpha / 2);
    expect(cell?.adjustedPValue).toBeGreaterThan(gateAlpha / 2);
    expect(verdict).toBe('cannot tell');
    expect(result?.reason).toContain('sidecar · 2 req/s (+');
  });
});

test('sensitivity is reported for all cells and for each cell alone, in every format', () => {
  const result = judge(cells(12, 8), cells(12, 8), true);
  const [threshold] = result.thresholds;
  expect(threshold?.reason).toMatch(
    /with 8 repetitions less than [\d.]+% beyond the limit in all 12 cells, or a change of less than [\d.]+%( to [\d.]+% \(sidecar · \d+ req\/s\))? in one of them alone, could not have been seen$/,
  );
  const lines = cellLines(threshold?.cells ?? []);
  expect(lines).toHaveLength(12);
  expect(lines[0]).toMatch(/^sidecar · \d+ req\/s: [+−]\d+\.\d% \(.* … .*%\); alone, [\d.]+% would have been seen$/);
  expect(gateMarkdown(result).match(/would have been seen/g)).toHaveLength(12);
  expect(gateJunit(result).match(/would have been seen/g)).toHaveLength(12);
});

test('a change that is detectable with a power of 80% is found about four times out of five', {
  timeout: 60_000,
}, () => {
  const [gates, cellCount] = [80, 6];
  const truth = { cells: cellCount, spread: 0.06, maxPairs: 10 } as const;
  const detectable = Array.from({ length: gates }, (_, seed) => syntheticGate(seed, { ...truth, change: () => 1 }))
    .flatMap(({ thresholds: [one] }) => one?.cells ?? [])
    .map((cell) => cell.detectablePercent as number)
    .sort((a, b) => a - b);
  const typical = 1 + (detectable[Math.floor(detectable.length / 2)] as number) / 100;
  const found = Array.from({ length: gates }, (_, seed) =>
    syntheticGate(seed, { ...truth, change: (cell) => (cell === 0 ? typical : 1) }),
  ).filter(({ verdict }) => verdict === 'failed').length;
  expect(found / gates).toBeGreaterThan(0.65);
  expect(found / gates).toBeLessThan(0.95);
});

/**
 * Hundreds of gates of known truth, each with as many pairs as it asks for: counts against what a binomial of the
 * stated rate allows.
 */
describe('the whole procedure, on synthetic pairs', () => {
  function verdicts(gates: number, truth: GateTruth): { failed: number; passed: number; pairs: number } {
    const all = Array.from({ length: gates }, (_, seed) => syntheticGate(seed, truth));
    return {
      failed: all.filter(({ verdict }) => verdict === 'failed').length,
      passed: all.filter(({ verdict }) => verdict === 'passed').length,
      pairs: all.reduce((sum, { pairs }) => sum + pairs, 0) / gates,
    };
  }
  /** Three standard deviations of a binomial count around its mean. */
  const around = (gates: number, rate: number, side: 1 | -1): number =>
    gates * rate + side * 3 * Math.sqrt(gates * rate * (1 - rate));

  it('alarms no more often than stated at the limit: in all cells, in half of them, and with disturbed pairs', () => {
    const truths: readonly [gates: number, truth: GateTruth][] = [
      [120 * share, { cells: 12, change: () => 1.05, spread: 0.04 }],
      [120 * share, { cells: 12, change: (cell) => (cell < 6 ? 1.05 : 1), spread: 0.04 }],
      [360 * share, { cells: 3, change: () => 1.05, spread: 0.03, disturbed: 0.1 }],
    ];
    const all = truths.reduce((sum, [gates]) => sum + gates, 0);
    const failed = truths.reduce((sum, [gates, truth]) => sum + verdicts(gates, truth).failed, 0);
    // Together, the bound is 7.7% in place of 10.8% for each 120.
    expect(failed).toBeLessThanOrEqual(around(all, gateAlpha, 1));
  });

  it('rarely alarms on unchanged cells and rarely stays undecided', () => {
    const { failed, passed } = verdicts(80 * share, { cells: 12, change: () => 1, spread: 0.05, disturbed: 0.05 });
    expect(failed).toBeLessThanOrEqual(1);
    expect(passed).toBeGreaterThanOrEqual(0.95 * 80 * share);
  });

  it.each([
    [12, 3, 60 * share],
    [12, 6, 60 * share],
    [12, 10, 30 * share],
    [40, 5, 30 * share],
  ])(
    'finds one of %d cells that is slower by a fifth in nine gates of ten, with a spread of %d percent',
    (count, percent, gates) => {
      const { failed, pairs } = verdicts(gates, { cells: count, change: onlyThird(1.2), spread: percent / 100 });
      expect(failed).toBeGreaterThanOrEqual(around(gates, 0.95, -1));
      expect(pairs).toBeLessThan(percent > 8 ? 22 : 13);
    },
  );
});
