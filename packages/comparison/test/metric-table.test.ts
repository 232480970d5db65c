import { summarise } from '@topo-bench/stats';
import { describe, expect, it, test } from 'vitest';
import { compareRuns } from '../src/compare.ts';
import { gate } from '../src/gate.ts';
import { commonMetrics } from '../src/metric-table.ts';
import { parseThreshold } from '../src/threshold.ts';
import { cellRun } from './fixtures/run-of.ts';

const [entry] = cellRun([250]).cells;

test.each([
  ['rtt', 'rtt.median'],
  ['med', 'rtt.median'],
  ['rtt.p50', 'rtt.median'],
  ['rtt.medianUs', 'rtt.median'],
  ['p95', 'rtt.p95'],
  ['rtt.p(95)', 'rtt.p95'],
  ['responseTime.p99.9', 'responseTime.p999'],
  ['responseTime.p(99.9)', 'responseTime.p999'],
  ['serviceTime.avg', 'serviceTime.mean'],
  ['errors', 'errors.rate'],
  ['rps', 'achievedRps'],
  ['cpu', 'cpuUsPerRequest.total'],
  ['ready', 'deployment.ready'],
  ['teardown', 'deployment.stop'],
  ['memory', 'deployment.memory'],
])('%s means %s', (alias, name) => {
  expect(commonMetrics.named(alias).name).toBe(name);
});

test('a metric reads its figure, in its unit and direction', () => {
  expect(commonMetrics.named('rtt.median').read(entry!)).toBe(250);
  expect(commonMetrics.named('cpu').read(entry!)).toBe(50);
  expect(commonMetrics.named('achievedRps')).toMatchObject({ unit: 'rps', better: 'higher' });
  expect(commonMetrics.named('resources.host.idlePercent').read(entry!)).toBe(50);
  expect(commonMetrics.named('exposureBytes.personal').read(entry!)).toBe(0);
  const byClass = { ...entry!, rttByClass: { 'card.order': { ...entry!.rtt, count: 9, p95Us: 70 } } };
  const metric = commonMetrics.of([byClass], 'rttByClass.card.order.p(95)');
  expect([metric.name, metric.read(byClass), metric.read(entry!)]).toEqual([
    'rttByClass.card.order.p95',
    70,
    undefined,
  ]);
  expect(metric.requests?.(byClass)).toEqual({ count: 9, min: 20 });
});

test('the cost of a deployment is in µs and bytes, and absent without a deployment', () => {
  const deployed = { ...entry!, deployment: { rank: 1, readyMs: 1500, stopMs: 20, memoryBytes: 4096 } };
  const read = (name: string) => [deployed, entry!].map((cell) => commonMetrics.named(name).read(cell));
  expect(read('deployment.ready')).toEqual([1_500_000, undefined]);
  expect(read('deployment.stop')).toEqual([20_000, undefined]);
  expect(read('deployment.memory')).toEqual([4096, undefined]);
});

describe('the mean round trip of a candidate that never answers some requests', () => {
  /** Six repetitions of a hundred requests each. */
  const run = (answeredUs: number, unfinished: number) => {
    const { cells, ...folder } = cellRun([1, 2, 3, 4, 5, 6]);
    const rtt = (repetition: number) =>
      summarise(
        Array.from({ length: 100 - unfinished }, (_, at) => answeredUs + (at % 7) + repetition),
        unfinished,
      );
    return { ...folder, cells: cells.map((cell) => ({ ...cell, unfinished, rtt: rtt(cell.repetition) })) };
  };
  const [steady, losing] = [run(1000, 0), run(800, 54)];

  it('is not an improvement, however fast the other requests are', () => {
    expect(compareRuns(steady, run(800, 0), { metric: 'rtt.mean' }).cells[0]?.verdict).toBe('faster');
    expect(compareRuns(steady, losing, { metric: 'rtt.mean' }).cells[0]).toMatchObject({
      verdict: 'slower',
      differencePercent: Number.POSITIVE_INFINITY,
    });
  });

  it.each(['rtt.mean < 2s', 'rtt.std < 2s', 'rtt.mean < +5%'])('fails %s', (text) => {
    const thresholds = [parseThreshold(text)];
    expect(gate(run(800, 0), steady, thresholds).verdict).toBe('passed');
    expect(gate(losing, steady, thresholds).verdict).toBe('failed');
  });
});

test('under none there is no exposure, rather than one of 0', () => {
  const cell = { ...entry!, exposureBytes: { personal: 12 } };
  expect(commonMetrics.named('exposureBytes.personal').read(cell)).toBe(12);
  expect(
    commonMetrics.named('exposureBytes.total').read({ ...cell, factors: { architecture: 'none' } }),
  ).toBeUndefined();
});

test('the error rate is a share of all requests, unfinished ones included', () => {
  const outcomes = { completed: 90, refused: 5, error: 2, unfinished: 3 };
  expect(commonMetrics.named('errors.rate').read({ ...entry!, outcomes })).toBe(0.02);
  expect(commonMetrics.named('unfinished.rate').read({ ...entry!, outcomes })).toBe(0.03);
});

test.each([
  ['rtt.medain', 'rtt.median'],
  ['acheivedRps', 'achievedRps'],
  ['cpuUsPerRequest.gatway', 'cpuUsPerRequest.gateway'],
])('the unknown metric %s is distinguished from %s', (unknown, nearest) => {
  expect(() => commonMetrics.of([entry!], unknown)).toThrow(
    expect.objectContaining({ code: 'TB_METRIC_UNKNOWN', exitCode: 2, hint: expect.stringContaining(`"${nearest}"`) }),
  );
});

test.each(['constructor', 'rtt.toString', 'resources.host.constructor', 'cpuUsPerRequest.constructor', '', 'rtt.'])(
  'no member of a JavaScript object passes for a metric: %s',
  (name) => {
    const read = () => commonMetrics.of([entry!], name).read(entry!);
    if (name === 'rtt.') expect(read()).toBe(250);
    else expect(read).toThrow(/no metric/);
  },
);

test('every listed name is a known metric', () => {
  const names = commonMetrics.names([entry!]);
  expect(names).toContain('cpuUsPerRequest.gateway');
  for (const name of names) expect(commonMetrics.named(name).name).toBe(name);
});
