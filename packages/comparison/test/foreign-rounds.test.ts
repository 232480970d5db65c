import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, test } from 'vitest';
import { compareWithin } from '../src/compare.ts';
import { isSeen } from '../src/compare-cells.ts';
import { gate } from '../src/gate.ts';
import { levelEffects } from '../src/level-effects.ts';
import { sensitivitySentences } from '../src/sensitivity-sentences.ts';
import { parseThreshold } from '../src/threshold.ts';
import { invalid, runOf } from './fixtures/run-of.ts';

const steps = [0, 3, 1, 4, 2, 5, 1, 3, 0, 2, 4, 5];
const medians = (centre: number, rounds: number): number[] =>
  steps.slice(0, rounds).map((step) => centre * (1 + 0.001 * step));

interface Load {
  /** Rounds that other programs filled. */
  full: readonly number[];
  turns?: true;
}

function under({ full, turns }: Load): (entry: Cell, repetition: number) => Cell {
  return (entry, repetition) => ({
    ...entry,
    ...(turns && { turns: { levels: 2, sliceUs: 5e5, gapUs: 1e5 } }),
    ...(full.includes(repetition) && {
      // A full round is slower, and the slower level suffers more.
      rtt: { ...entry.rtt, medianUs: entry.rtt.medianUs * (entry.factors.architecture === 'none' ? 3 : 2) },
      resources: { host: { idlePercent: 0.5, foreignPercent: 60 } },
      validity: { ...entry.validity, flags: ['foreign-load'] },
    }),
  });
}

function study(rounds: number, ratio: number, load: Load) {
  const change = under(load);
  return runOf([
    { factors: { architecture: 'sidecar' }, mediansUs: medians(1000, rounds), change },
    { factors: { architecture: 'none' }, mediansUs: medians(1000 * ratio, rounds), change },
  ]);
}

describe('rounds that other programs filled', () => {
  test('are left out where the others can carry a verdict, which is then that of the others', () => {
    const { cells, notes } = compareWithin(study(10, 1.1, { full: [2, 5, 7] }), 'architecture');
    expect(cells[0]).toMatchObject({
      verdict: 'slower',
      differencePercent: expect.closeTo(10, 1),
      foreign: { full: 3, use: 'left out', without: { rounds: 7 }, with: { rounds: 3 } },
      repetitions: { baseline: { used: 7 }, candidate: { used: 7 } },
    });
    expect(cells[0]?.foreign?.with?.differencePercent).toBeGreaterThan(50);
    expect(notes).toContain(
      'other programs left the host no idle time in up to 3 rounds: the others carry the verdict',
    );
    const [equal] = compareWithin(study(10, 1, { full: [2, 5, 7] }), 'architecture').cells;
    expect(equal?.verdict).toBe('no difference seen');
  });

  test('leave a comparison undecided where too few others remain: with what is seen and what would help', () => {
    const { cells, effect, cost } = compareWithin(study(8, 1.1, { full: [1, 2, 3, 4, 5, 6] }), 'architecture');
    expect(cells[0]).toMatchObject({
      verdict: 'cannot tell',
      blocked: 'foreign',
      foreign: { full: 6, use: 'decisive', without: { rounds: 2, differencePercent: expect.closeTo(10, 1) } },
    });
    expect(isSeen(cells[0]!)).toBe(true);
    const sentences = sensitivitySentences(cells, effect, cost).join(' ');
    expect(sentences).toMatch(/^More repetitions do not help while the same programs run/);
    expect(sentences).not.toContain('To see');
    expect(sentences).toContain('deploy: interleaved');
    const interleaved = sensitivitySentences(cells, effect, { ...cost, couldTakeTurns: false }).join(' ');
    expect(interleaved).toMatch(/while the same programs run: end them\./);
  });

  const twoRates = (rounds: number, load: Load, lost: number[] = []) => {
    const change = under(load);
    const loadedWithout = (round: number | undefined) => (entry: Cell, repetition: number) =>
      repetition === round ? invalid(entry) : change(entry, repetition);
    const at = (
      rate: number,
      architecture: string,
      ratio: number,
      each?: (entry: Cell, repetition: number) => Cell,
    ) => ({
      factors: { architecture, rate },
      mediansUs: medians(1000 * ratio, rounds),
      ...(each && { change: each }),
    });
    return runOf([
      ...[at(1, 'sidecar', 1, loadedWithout(lost[0])), at(1, 'none', 2, loadedWithout(lost[1]))],
      ...[at(2, 'sidecar', 1), at(2, 'none', 2)],
    ]);
  };

  test('leave as many rounds as pairs need, once any cell has them: else other programs prevent its verdict', () => {
    const { cells, notes } = compareWithin(twoRates(7, { full: [1, 2] }), 'architecture');
    const [loaded, other] = cells;
    expect(notes.join()).not.toContain('the others carry the verdict');
    expect(loaded).toMatchObject({ verdict: 'cannot tell', blocked: 'foreign', foreign: { full: 2, use: 'decisive' } });
    expect(loaded?.repetitions.candidate.used).toBe(7);
    expect(other?.verdict).toBe('slower');
    const [left] = compareWithin(twoRates(8, { full: [1, 2] }), 'architecture').cells;
    expect(left).toMatchObject({ verdict: 'slower', foreign: { use: 'left out' }, pairing: 'by round' });
    const [effect] = levelEffects(twoRates(7, { full: [1, 2] }), 'architecture');
    expect(effect).toMatchObject({ settings: 1, rounds: 7, verdict: 'slower' });
  });

  test('count the rounds that both sides have left, not those of each', () => {
    // Six are left of either side, and five of both.
    const lost = twoRates(9, { full: [1, 2] }, [3, 4]);
    expect(compareWithin(lost, 'architecture').cells[0]).toMatchObject({ foreign: { use: 'decisive' } });
  });

  test('take part where levels took turns in them, since other programs met all levels', () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8];
    const { cells, notes } = compareWithin(study(8, 1.1, { full: all, turns: true }), 'architecture');
    expect(cells[0]).toMatchObject({ verdict: 'slower', foreign: { full: 8, use: 'shared' } });
    expect(cells[0]?.blocked).toBeUndefined();
    expect(notes.join()).toContain('8 rounds, in which the sides took turns: sizes may differ without them');
    expect(compareWithin(study(8, 1.1, { full: all }), 'architecture').cells[0]?.verdict).toBe('cannot tell');
  });

  test('do not make a gate undecided: the other pairs carry its verdict', () => {
    const side = (ratio: number, name: 'baseline' | 'candidate') => ({
      ...runOf(
        [
          {
            factors: { architecture: 'sidecar' },
            mediansUs: medians(1000 * ratio, 12),
            change: under({ full: [3, 4, 9] }),
          },
        ],
        { sideBySide: { id: 'one', side: name, ref: name } },
      ),
    });
    const threshold = [parseThreshold('rtt.median < +5%')];
    const equal = gate(side(1, 'candidate'), side(1, 'baseline'), threshold);
    expect(equal.verdict).toBe('passed');
    expect(equal.thresholds[0]?.pooled?.repetitions).toBe(9);
    expect(equal.notes.join()).toContain('in up to 3 rounds: the others carry the verdict');
    expect(gate(side(1.1, 'candidate'), side(1, 'baseline'), threshold).verdict).toBe('failed');
  });
});
