/**
 * The figures of `npm run bench:gate` come from stored pairs, so they are the same everywhere: the page about gating
 * quotes them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Progress, stopOf } from '@topo-bench/workbench/gate';
import { describe, expect, it } from 'vitest';
import { independentGates, resampledGates, roundsOf } from '../bench/gate/draw-gates.ts';
import { againstLastRun } from '../bench/gate/fixed-rule.ts';
import { judgePairs } from '../bench/gate/judge-pairs.ts';
import { comparedLines, comparisonTotals, readNoisyComparisons } from '../bench/gate/noisy-comparisons.ts';
import { outcomeOf, readNoisyGates, totals } from '../bench/gate/noisy-gates.ts';
import { readPairs, type StoredPair } from '../bench/gate/stored-pairs.ts';

const pairOf = (repetition: number, candidateUs: number, session = 1): StoredPair => {
  const of = { load: 'waiting', kind: 'same', cell: 'one' } as const;
  return { ...of, session, repetition, baselineUs: 1000, candidateUs, usable: true, flags: '' };
};

describe('the bench of the gate', () => {
  it('finds the shares of kept pairs that the page about gating states, and hardly ever alarms on equal sides', () => {
    const page = readFileSync(new URL('../../../docs/gating.md', import.meta.url), 'utf8');
    const stored = readPairs();
    const rows = (['same', 'slower'] as const).map((kind) => judgePairs(stored, 'waiting', kind));
    for (const { rounds, figures } of rows) {
      expect(page).toContain(`| ${rounds} |`);
      expect(page).toContain(`| ${figures?.resampled.failed} of ${figures?.resampled.gates} |`);
      expect(page).toContain(`| ${figures?.independent.failed} of ${figures?.independent.gates} |`);
      expect(page).toContain(`| ${figures?.fixed?.alarms} of ${figures?.fixed?.of} |`);
    }
    const [same] = rows;
    expect(same?.figures?.resampled.failed).toBeLessThanOrEqual(0.01 * (same?.figures?.resampled.gates ?? 0));
  });

  it('draws gates that fail on slow pairs and pass on equal ones, with as many pairs as the spread requires', () => {
    const steady = Array.from({ length: 25 }, (_, at) => pairOf(at + 1, 1000 + (at % 5)));
    expect(resampledGates(roundsOf(steady), 3)).toEqual(
      Array(3).fill({ verdict: 'passed', pairs: 8, failedCells: [] }),
    );
    const slow = steady.map(({ repetition, candidateUs }) => pairOf(repetition, 1.1 * candidateUs));
    // 25 pairs are three gates of eight, which share none; the last pair is no gate.
    expect(independentGates(roundsOf(slow))).toEqual(
      Array(3).fill({ verdict: 'failed', pairs: 8, failedCells: ['one'] }),
    );
  });

  it('counts gates that share no pair, each from one session alone', () => {
    const sessions = [1, 2].flatMap((session) => Array.from({ length: 22 }, (_, at) => pairOf(at + 1, 1000, session)));
    expect(independentGates(roundsOf(sessions)).map(({ pairs }) => pairs)).toEqual([8, 8, 8, 8]);
  });

  it('finds and names the one cell of twelve that is slower', () => {
    const pairs = Array.from({ length: 17 }, (_, round) =>
      Array.from({ length: 12 }, (_cell, cell): StoredPair => {
        const slower = cell === 4;
        const candidateUs = (slower ? 1200 : 1000) * (1 + 0.01 * ((round * (cell + 3)) % 5));
        return { ...pairOf(round + 1, candidateUs), load: 'cells', kind: 'slower', cell: slower ? '4*' : String(cell) };
      }),
    ).flat();
    const { rounds, figures } = judgePairs(pairs, 'cells', 'slower');
    expect(rounds).toBe(17);
    expect(figures).toMatchObject({ independent: { gates: 2, failed: 2 }, foundTheCell: 2 });
    expect(figures?.changePercent).toBeGreaterThan(19);
    expect(figures?.fixed).toBeUndefined();
  });

  it('compares with the run before under the fixed rule', () => {
    const drifting = [1000, 1050, 1200].map((baselineUs, at) => ({ ...pairOf(at + 1, baselineUs), baselineUs }));
    expect(againstLastRun(drifting)).toEqual({ alarms: 1, of: 2 });
  });
});

describe('gates on a busy machine', () => {
  it('are counted by kind and exit code: equal sides should pass, slower ones fail', () => {
    const folder = mkdtempSync(join(tmpdir(), 'topo-bench-noisy-'));
    try {
      const file = join(folder, 'gates.csv');
      expect(readNoisyGates(file)).toEqual([]);
      const codes = ['same,1,t,9,0', 'same,2,t,9,1', 'same,3,t,9,5', 'slower,1,t,9,1', 'slower,2,t,9,0'];
      writeFileSync(
        file,
        `load,foreign,kind,gate,startedAt,seconds,exitCode\n${codes.map((line) => `hashing,core,${line}\n`).join('')}`,
      );
      expect(totals(readNoisyGates(file))).toEqual([
        'same: 3 gates, 1 passed, 1 failed, 1 cannot tell; 1 as they should',
        'slower: 2 gates, 1 passed, 1 failed, 0 cannot tell; 1 as they should',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keep verdict, pairs, valid pairs, change and interval of a gate', () => {
    const stopped = stopOf({ pairs: 8, have: 7, broken: false, measured: 9, seconds: 60 } as Progress);
    const cells = [{ differencePercent: 20.04, intervalPercent: [18, null] }];
    const document = JSON.stringify({ verdict: 'failed', pairs: 9, stopped, cells });
    expect(outcomeOf(document)).toEqual(['failed', 9, 7, '20.0', '18.0', '']);
    expect(outcomeOf('')).toEqual(['none', 0, '', '', '', '']);
  });
});

describe('comparisons on a busy machine', () => {
  const cellOf = (level: string, verdict: string, differencePercent: number | null) => ({
    ...{ factors: { 'defaults.work.mean': level }, verdict, differencePercent },
    intervalPercent: [differencePercent, null],
  });

  it('keep verdict, change and interval by added work; a level that cannot be compared has no verdict', () => {
    const cells = [cellOf('7.8ms', 'slower', 20.04), cellOf('6000us', 'cannot tell', null)];
    expect(comparedLines(JSON.stringify({ cells }))).toEqual([
      '0,cannot tell,,,',
      '10,cannot tell,,,',
      '30,slower,20.0,20.0,',
    ]);
    expect(comparedLines('')).toHaveLength(3);
  });

  it('are right where equal levels show no difference and more work is slower', () => {
    const folder = mkdtempSync(join(tmpdir(), 'topo-bench-noisy-'));
    try {
      const file = join(folder, 'comparisons.csv');
      expect(readNoisyComparisons(file)).toEqual([]);
      const rows = ['0,no difference seen', '0,slower', '10,cannot tell', '10,slower', '30,slower', '30,faster'];
      writeFileSync(
        file,
        `foreign,run,startedAt,seconds,added,verdict\n${rows.map((row) => `core,1,t,9,${row},1,2,3\n`).join('')}`,
      );
      expect(comparisonTotals(readNoisyComparisons(file))).toEqual([
        '0% added work: 2 comparisons, 1 right, 1 wrong, 0 without a verdict',
        '10% added work: 2 comparisons, 1 right, 0 wrong, 1 without a verdict',
        '30% added work: 2 comparisons, 1 right, 1 wrong, 0 without a verdict',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
