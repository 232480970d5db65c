import { randomStream } from '@topo-bench/core';
import { signedRank } from '@topo-bench/stats';
import { describe, expect, test } from 'vitest';
import { compareWithin } from '../src/compare.ts';
import { designFault, designOf, designSentence, gateDesignSentence } from '../src/design.ts';
import { parseThreshold } from '../src/threshold.ts';
import { normal } from './fixtures/noise.ts';
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

  test.each([
    [4, 2],
    [5, 2],
    [6, 2],
    [6, 5],
    [7, 2],
    [8, 2],
    [9, 2],
    [10, 2],
    [10, 5],
  ])('of %i repetitions of %i levels states sizes that four of five comparisons with that spread show', (n, count) => {
    const cells = levels(count, 1);
    const sentence = designSentence(designOf(cells, n));
    const [, size = ''] =
      /four times out of five from about .*, ([\d.]+)% where rounds vary by 10%/.exec(sentence) ?? [];
    const random = randomStream(5, 'power', n);
    const isPaired = n >= 6;
    let shown = 0;
    for (let run = 0; run < 400; run++) {
      // In pairs it is the difference that varies by 10%, whatever its rounds share; else the figures of each side.
      const drift = Array.from({ length: n }, () => (isPaired ? 0.3 * normal(random) : 0));
      const spread = isPaired ? 0.1 / Math.SQRT2 : 0.1;
      const found = compareWithin(
        runOf(
          cells.map((factors, at) => {
            const centre = at === 1 ? 1000 * (1 + Number(size) / 100) : 1000;
            return { factors, mediansUs: drift.map((each) => centre * Math.exp(each + spread * normal(random))) };
          }),
        ),
        'architecture',
      );
      shown += Number(found.cells[0]?.verdict === 'slower');
    }
    // 80% ± 3.5 standard deviations of 2%, and what the table rounds.
    expect(shown / 400).toBeGreaterThan(0.73);
    expect(shown / 400).toBeLessThan(0.88);
  });
});

test.each(['rtt.median < +5%', 'rtt.median < +10%', 'achievedRps > -5%'])(
  'a gate of %s fails twice its limit 19 times out of 20 with the pairs that its design states',
  (text) => {
    const threshold = parseThreshold(text, []);
    const sentence = gateDesignSentence([threshold]);
    const [, few, many] = /after (\d+) pairs .* about (\d+) by 10%/.exec(sentence) as unknown as string[];
    const random = randomStream(3, text);
    const { limit } = threshold;
    for (const [pairs, spread] of [
      [Number(few), 0.02],
      [Number(many), 0.1],
    ] as const) {
      const failed = Array.from({ length: 400 }, () => {
        const beyond = Array.from(
          { length: pairs },
          () => Math.abs(Math.log((2 * limit - 1) / limit)) + spread * normal(random),
        );
        return signedRank(beyond, 'greater').pValue <= 0.025;
      }).filter(Boolean).length;
      // The signed-rank test needs about 5% more than the normal formula.
      expect(failed / 400).toBeGreaterThan(0.9);
    }
  },
);
