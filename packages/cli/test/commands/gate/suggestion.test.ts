import type { SelfTestRow } from '@topo-bench/comparison';
import { expect, test } from 'vitest';
import { suggestionFor } from '../../../src/commands/gate/suggestion.ts';

const row = (percent: string, figures: Partial<SelfTestRow>): SelfTestRow => ({
  ...{ threshold: `rtt.median < ${percent}`, metric: 'rtt.median', limit: 1 + Number.parseFloat(percent) / 100 },
  ...{ gates: 100, falseAlarms: 0, undecided: 0, pairs: { median: 8, p90: 11 }, detectablePercent: 9 },
  ...figures,
});

test('the smallest limit that gates can decide is suggested, with the time of its pairs plus one', () => {
  const rows = [row('+2%', { undecided: 40 }), row('+5%', { undecided: 10, falseAlarms: 5 }), row('+10%', {})];
  expect(suggestionFor(rows, 10)).toEqual({ threshold: 'rtt.median < +5%', maxMinutes: 2 });
});

test('a limit that equal sides fail, or that finds no change, is not suggested', () => {
  expect(suggestionFor([row('-10%', { falseAlarms: 94 }), row('-20%', { falseAlarms: 100 })], 10)).toBeUndefined();
  expect(suggestionFor([row('+5%', { detectablePercent: Number.POSITIVE_INFINITY })], 10)).toBeUndefined();
});

test('only limits of the first metric are suggested', () => {
  expect(suggestionFor([row('+5%', { undecided: 90 }), row('+5%', { metric: 'rtt.p95' })], 10)).toBeUndefined();
});
