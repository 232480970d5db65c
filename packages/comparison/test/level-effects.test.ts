import { describe, expect, test } from 'vitest';
import { effectsOfFactors, levelEffects } from '../src/level-effects.ts';
import { type CellFigures, invalid, runOf, saturated } from './fixtures/run-of.ts';

const drift = [1, 1.4, 0.8, 1.1, 1.6, 0.7, 1.2];

function run(ratios: Record<string, number>, rounds = 7) {
  const cells = Object.entries(ratios).flatMap(([engine, ratio]) =>
    ['none', 'sidecar', 'central-entity'].map((architecture, at): CellFigures => {
      const mediansUs = drift
        .slice(0, rounds)
        .map((factor, round) => 1000 * (at + 1) * factor * ratio * (1 + 0.002 * ((round * (at + 2)) % 5)));
      return { factors: { architecture, engine }, mediansUs };
    }),
  );
  return runOf(cells);
}

describe('the effect of a factor', () => {
  test('is the mean ratio over all settings, in pairs of rounds', () => {
    const [effect, ...others] = levelEffects(run({ compiled: 1, scanned: 1.1 }), 'engine');
    expect(others).toEqual([]);
    expect(effect).toMatchObject({
      level: 'scanned',
      reference: 'compiled',
      settings: 3,
      rounds: 7,
      verdict: 'slower',
      differencePercent: expect.closeTo(10, 6),
      agreeing: { rounds: 7 },
    });
    // Geometric mean of 1000, 2000 and 3000, at the median round.
    expect(effect?.baseline).toBeGreaterThan(1000 * 6 ** (1 / 3));
  });

  test('of equal levels is none, and of few rounds is not shown', () => {
    const { cells, ...folder } = run({ compiled: 1, scanned: 1 });
    const mixed = cells.map((cell) => {
      const factor = cell.factors.engine === 'scanned' ? 1 + 0.002 * ((cell.repetition % 3) - 1) : 1;
      return { ...cell, rtt: { ...cell.rtt, medianUs: cell.rtt.medianUs * factor } };
    });
    expect(levelEffects({ ...folder, cells: mixed }, 'engine')[0]?.verdict).toBe('no difference seen');
    expect(levelEffects(run({ compiled: 1, scanned: 1.1 }, 5), 'engine')[0]).toMatchObject({
      verdict: 'cannot tell',
      agreeing: { rounds: 5, differencePercent: expect.closeTo(10, 6) },
    });
    // Four rounds agree by chance in one of eight cases.
    expect(levelEffects(run({ compiled: 1, scanned: 1.1 }, 4), 'engine')[0]).not.toHaveProperty('agreeing');
  });

  /** Settings whose effects differ, without the entries of `scanned` that are lost. */
  const lacking = (isLost: (architecture: string, round: number) => boolean) => {
    const { cells, ...folder } = run({ compiled: 1, scanned: 1.1 });
    const changed = cells.map((cell) => {
      const { architecture, engine } = cell.factors;
      if (engine !== 'scanned') return cell;
      const factor = architecture === 'none' ? 2 : 1;
      const entry = { ...cell, rtt: { ...cell.rtt, medianUs: cell.rtt.medianUs * factor } };
      return isLost(String(architecture), cell.repetition) ? invalid(entry) : entry;
    });
    return levelEffects({ ...folder, cells: changed }, 'engine')[0];
  };

  test('uses rounds that have all settings, where they are enough: each round has the same mean', () => {
    // 10% in two settings, 120% in the third.
    const percent = 100 * ((1.1 * 1.1 * 2.2) ** (1 / 3) - 1);
    expect(lacking((architecture, round) => architecture === 'none' && round === 3)).toMatchObject({
      ...{ rounds: 6, settings: 3, ofSettings: 3, verdict: 'slower' },
      differencePercent: expect.closeTo(percent, 6),
    });
  });

  test('leaves a setting out that lacks more rounds, and counts those that are left', () => {
    expect(lacking((architecture, round) => architecture === 'none' && round > 4)).toMatchObject({
      ...{ rounds: 7, settings: 2, ofSettings: 3, verdict: 'slower' },
      differencePercent: expect.closeTo(10, 6),
    });
    expect(lacking((architecture) => architecture === 'none')).toMatchObject({ rounds: 7, settings: 2 });
  });

  test('needs six rounds for any number of levels, as the comparison of cells does', () => {
    const four = levelEffects(run({ compiled: 1, scanned: 1.1, opa: 1.3, cedar: 3 }, 6), 'engine');
    expect(four.map(({ verdict, smallestRepetitions }) => [verdict, smallestRepetitions])).toEqual(
      Array(3).fill(['slower', 6]),
    );
    // Unpaired, p is 2/70 for each; Holm doubles it.
    const [few] = levelEffects(run({ compiled: 1, scanned: 3, opa: 4 }, 4), 'engine');
    expect(few).toMatchObject({ pairing: 'unpaired', verdict: 'cannot tell' });
    expect(few?.reason).toMatch(/^among 2 levels compared at once/);
  });

  test('is absent among several factors where it cannot be compared, as all are without the figure', () => {
    const two = run({ compiled: 1, scanned: 1.1 });
    const found = effectsOfFactors(two, [{ factor: 'unknown' }, { factor: 'engine' }]);
    expect(found).toEqual(levelEffects(two, 'engine'));
    expect(effectsOfFactors(two, [{ factor: 'engine' }], { metric: 'no.such.figure' })).toEqual([]);
  });

  test('is corrected over several levels, and leaves settings out in which the host was saturated', () => {
    const three = levelEffects(run({ compiled: 1, scanned: 1.1, opa: 1.3 }), 'engine');
    expect(three.map(({ level, verdict }) => [level, verdict])).toEqual([
      ['scanned', 'slower'],
      ['opa', 'slower'],
    ]);
    const { cells, ...folder } = run({ compiled: 1, scanned: 1.1 });
    const full = cells.map((cell) => (cell.factors.architecture === 'none' ? saturated(cell) : cell));
    expect(levelEffects({ ...folder, cells: full }, 'engine')[0]).toMatchObject({ settings: 2, verdict: 'slower' });
    const all = levelEffects({ ...folder, cells: cells.map(saturated) }, 'engine');
    expect(all[0]).toMatchObject({ settings: 3, verdict: 'cannot tell', blocked: 'saturated' });
  });
});
