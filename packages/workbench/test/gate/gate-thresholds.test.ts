import { expect, it } from 'vitest';
import { thresholdsOf } from '../../src/gate/gate-thresholds.ts';

it('counts a threshold that is given twice once, however it is written', () => {
  const texts = ['rtt.median < +5%', 'median<+5%', 'rtt.median < +5.0%', 'rtt.median <= +5%', 'rtt.p95 < 20ms'];
  expect(thresholdsOf(texts, undefined).map(({ text }) => text)).toEqual([
    'rtt.median < +5%',
    'rtt.median <= +5%',
    'rtt.p95 < 20ms',
  ]);
  expect(thresholdsOf(undefined, ['rtt.p95 < 20ms', 'rtt.p95 < 20000us'])).toHaveLength(1);
});
