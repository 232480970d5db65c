import { randomStream } from '@topo-bench/core';
import { describe, expect, test } from 'vitest';
import { compareWithin } from '../src/compare.ts';
import { designFault, designOf, designSentence } from '../src/design.ts';
import { runOf } from './fixtures/run-of.ts';

const levels = (architectures: number, rates: number) =>
  Array.from({ length: architectures }, (_, at) => `dynamic-router-${at + 1}`).flatMap((architecture) =>
    Array.from({ length: rates }, (_, at) => ({ architecture, rate: 10 * (at + 1) })),
  );

describe('a design', () => {
  test.each([
    [2, 1, 3],
    [2, 1, 4],
    [3, 4, 4],
    [3, 4, 5],
    [4, 12, 5],
    [4, 12, 6],
  ])(
    'of %i levels in %i settings with %i repetitions can show a difference where the comparison of huge ones does',
    (architectures, rates, repetitions) => {
      const cells = levels(architectures, rates);
      const design = designOf(cells, repetitions);
      expect(design.comparisons).toBe((architectures - 1) * rates);
      const run = runOf(
        cells.map((factors) => {
          const random = randomStream(1, factors.architecture, factors.rate);
          const base = factors.architecture === 'dynamic-router-1' ? 100 : 1e6;
          return {
            factors,
            mediansUs: Array.from({ length: repetitions }, () => base * (1 + 0.01 * random.uniform())),
          };
        }),
      );
      const shown = compareWithin(run, 'architecture').cells.some(({ verdict }) => verdict === 'slower');
      expect(design.pairing !== 'none').toBe(shown);
      expect(designFault(design) === undefined).toBe(shown);
    },
  );

  test('names the fewest repetitions that can show anything, and with them can', () => {
    const fault = designFault(designOf(levels(4, 12), 5));
    expect(fault).toBe(
      'with 5 repetitions, among 36 cells compared at once, no difference can be shown, however large; 6 can show one',
    );
    expect(designFault(designOf(levels(4, 12), 6))).toBeUndefined();
    expect(designFault(designOf(levels(1, 1), 1))).toBeUndefined();
    expect(designSentence(designOf(levels(1, 1), 1))).toBe('');
  });

  test('states sizes that four of five comparisons with that spread show', () => {
    const sentence = designSentence(designOf(levels(2, 1), 10));
    const [, size = ''] = /from about .*, ([\d.]+)% where rounds vary by 10%\.$/.exec(sentence) ?? [];
    const random = randomStream(5, 'power');
    const normal = (): number => Array.from({ length: 12 }, () => random.uniform()).reduce((sum, one) => sum + one, -6);
    let shown = 0;
    for (let run = 0; run < 400; run++) {
      const drift = Array.from({ length: 10 }, normal);
      const side = (factor: number, spread: number) =>
        drift.map((each) => 1000 * factor * Math.exp(0.3 * each + spread * normal()));
      const found = compareWithin(
        runOf([
          { factors: { architecture: 'sidecar' }, mediansUs: side(1, 0) },
          { factors: { architecture: 'none' }, mediansUs: side(1 + Number(size) / 100, 0.1) },
        ]),
        'architecture',
      );
      shown += Number(found.cells[0]?.verdict === 'slower');
    }
    expect(shown / 400).toBeGreaterThan(0.68);
    expect(shown / 400).toBeLessThan(0.9);
  });
});
