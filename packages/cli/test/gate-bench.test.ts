/**
 * The figures of `npm run bench:gate` come from stored pairs, so they are the same everywhere: the page about gating
 * quotes them.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { independentGates, resampledGates, roundsOf } from '../bench/gate/draw-gates.ts';
import { againstLastRun } from '../bench/gate/fixed-rule.ts';
import { judgePairs } from '../bench/gate/judge-pairs.ts';
import { readPairs, type StoredPair } from '../bench/gate/stored-pairs.ts';

const pairOf = (repetition: number, candidateUs: number, session = 1): StoredPair => {
  const of = { load: 'waiting', kind: 'same', cell: 'one' } as const;
  return { ...of, session, repetition, baselineUs: 1000, candidateUs, usable: true, flags: '' };
};

describe('the bench of the gate', () => {
  it('says of the pairs that are kept what the page about gating says, and hardly ever alarms on equal sides', () => {
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

  it('draws gates that fail on slow pairs and pass on equal ones, with the pairs that the spread asks for', () => {
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

  it('finds the one cell of twelve that is slower, and says so', () => {
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

  it('lets the fixed rule compare with the run before, as it does', () => {
    const drifting = [1000, 1050, 1200].map((baselineUs, at) => ({ ...pairOf(at + 1, baselineUs), baselineUs }));
    expect(againstLastRun(drifting)).toEqual({ alarms: 1, of: 2 });
  });
});
