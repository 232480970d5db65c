import { TopoBenchError } from '@topo-bench/core';
import { expect, test } from 'vitest';
import { holds, parseThreshold, smallestDifference } from '../src/threshold.ts';

test.each([
  ['rtt.median < +5%', 'rtt.median', '<', 'relative', 1.05],
  ['rtt.median<+5%', 'rtt.median', '<', 'relative', 1.05],
  ['achievedRps >= -2%', 'achievedRps', '>=', 'relative', 0.98],
  ['rtt.median <= −10%', 'rtt.median', '<=', 'relative', 0.9],
  ['rtt.p95 < 20ms', 'rtt.p95', '<', 'absolute', 20_000],
  ['p(95)<200ms', 'rtt.p95', '<', 'absolute', 200_000],
  ['  rtt.med   <=   1.5 ms  ', 'rtt.median', '<=', 'absolute', 1500],
  ['errors.rate < 0.1%', 'errors.rate', '<', 'absolute', 0.001],
  ['errors.rate <= 0', 'errors.rate', '<=', 'absolute', 0],
  ['achievedRps > 480', 'achievedRps', '>', 'absolute', 480],
  ['achievedRps > 480 req/s', 'achievedRps', '>', 'absolute', 480],
  ['resources.gateway.rssBytes < 64MiB', 'resources.gateway.rssBytes', '<', 'absolute', 64 * 1024 ** 2],
  ['resources.central-entity.cpuPercent < 80%', 'resources.central-entity.cpuPercent', '<', 'absolute', 80],
  ['hops.perRequest <= 11', 'hops.perRequest', '<=', 'absolute', 11],
])('%s is read', (text, metric, operator, kind, limit) => {
  const threshold = parseThreshold(text);
  expect(threshold).toMatchObject({ metric: { name: metric }, operator, kind, text: text.trim() });
  expect(threshold.limit).toBeCloseTo(limit, 12);
});

test.each([
  ['', 1, 'expected a metric'],
  ['< 5ms', 1, 'expected a metric'],
  ['rtt.median', 11, 'expected one of < <= > >='],
  ['rtt.median == 5ms', 12, 'got =='],
  ['rtt.median <> +5%', 12, 'got <>'],
  ['rtt.median <', 13, 'expected a value'],
  ['rtt.median < 200', 14, 'a duration such as 20ms'],
  ['rtt.median < 20 parsecs', 14, 'a duration such as 20ms'],
  ['rtt.median < +5', 14, 'a signed percentage'],
  ['rtt.median < +5ms', 14, 'a signed percentage'],
  ['rtt.median < -100%', 14, 'more than -100%'],
  ['errors.rate < +5%', 15, 'percentages of it are undefined'],
  ['errors.rate < 2', 15, 'a share such as 0.1%'],
  ['achievedRps > 5ms', 15, 'a rate such as 500'],
])('%j cannot be read, and the character is pointed at', (text, character, expected) => {
  const error = errorOf(() => parseThreshold(text));
  expect(error).toMatchObject({ code: 'TB_GATE_THRESHOLD', exitCode: 2 });
  expect(error.message).toContain(expected);
  expect(error.message).toContain(`character ${character}:`);
  expect(error.message.split('\n').at(-1)).toBe(`${' '.repeat(character + 1)}^`);
});

test('an unknown metric is reported with the nearest known name', () => {
  expect(errorOf(() => parseThreshold('rtt.p59 < 5ms'))).toMatchObject({
    code: 'TB_METRIC_UNKNOWN',
    hint: 'did you mean "rtt.p95"?',
  });
});

test('the limit itself satisfies <= and >= but not < and >', () => {
  expect(['<', '<=', '>', '>='].map((operator) => holds({ operator: operator as '<', limit: 5 }, 5))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

function errorOf(action: () => unknown): TopoBenchError {
  try {
    action();
  } catch (error) {
    if (error instanceof TopoBenchError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each([
  [['rtt.median < +5%', 'achievedRps >= -2%', 'rtt.p95 < 20ms'], 0.02],
  [['rtt.median < +10%', 'rtt.p95 < +20%'], 0.1],
  [['rtt.median < +0%'], 0],
  [['rtt.p95 < 20ms'], Number.POSITIVE_INFINITY],
  [[], Number.POSITIVE_INFINITY],
])('%j need a smallest difference of %d', (texts, share) => {
  expect(smallestDifference(texts.map((text) => parseThreshold(text)))).toBeCloseTo(share, 12);
});
