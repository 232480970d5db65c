import type { SampleTimes } from '@topo-bench/results';
import { expect, test } from 'vitest';
import { quantileGrid, sampleFiguresOf } from '../../src/model/sample-figures.ts';

const completed = (intendedUs: number, rttUs: number): SampleTimes => ({
  intendedUs,
  sentUs: intendedUs + 10,
  doneUs: intendedUs + rttUs + 100,
  rttUs,
  outcome: 'completed',
});
const unfinished = (intendedUs: number): SampleTimes => ({
  ...{ intendedUs, sentUs: intendedUs, doneUs: null, rttUs: null },
  outcome: 'unfinished',
});

test('quantiles are those of the pooled requests, up to what their number carries, then the maximum', () => {
  const samples = Array.from({ length: 201 }, (_, at) => completed(at * 1000, at));
  const { rtt, responseTime } = sampleFiguresOf([{ repetition: 1, samples }], 10);
  // Values 0…200: the q-quantile is 200 q.
  const carried = quantileGrid.filter((q) => q <= 1 - 1 / 201);
  expect(rtt.quantilesUs).toHaveLength(carried.length + 1);
  for (const [at, q] of carried.entries()) expect(rtt.quantilesUs[at]).toBeCloseTo(200 * q, 6);
  expect(rtt.quantilesUs.at(-1)).toBe(200);
  expect(responseTime.quantilesUs.at(-1)).toBe(300);
});

test('refusals have no part in it, and unfinished requests count as endless', () => {
  const refused: SampleTimes = { ...completed(5, 1), outcome: 'refused' };
  const samples = [
    ...Array.from({ length: 60 }, (_, at) => completed(at, 10)),
    refused,
    ...Array.from({ length: 40 }, () => unfinished(7)),
  ];
  const { rtt } = sampleFiguresOf([{ repetition: 1, samples }], 4);
  expect(rtt).toMatchObject({ count: 100, unfinished: 40 });
  expect(rtt.quantilesUs[quantileGrid.indexOf(0.5)]).toBe(10);
  expect(rtt.quantilesUs[quantileGrid.indexOf(0.7)]).toBe(Number.POSITIVE_INFINITY);
});

test('windows go by intended send time, each repetition by itself; tenths pool them', () => {
  const rising = Array.from({ length: 100 }, (_, at) => completed(at * 1000, 10 * at));
  const flat = Array.from({ length: 100 }, (_, at) => completed(at * 1000, 50));
  const { rtt } = sampleFiguresOf(
    [
      { repetition: 1, samples: rising },
      { repetition: 2, samples: flat },
    ],
    10,
  );
  expect(rtt.repetitions.map(({ spanUs }) => spanUs)).toEqual([99_000, 99_000]);
  const [first, second] = rtt.repetitions;
  expect(first?.medianUs[0]).toBeLessThan(first?.medianUs[9] as number);
  expect(first?.maxUs.at(-1)).toBe(990);
  expect(new Set(second?.medianUs)).toEqual(new Set([50]));
  expect(rtt.tenthsUs).toHaveLength(10);
  // Half of the pool is 50 everywhere; of the last tenth the other half is far above.
  expect(rtt.tenthsUs[9]).toBeGreaterThan(50);
});

test('a window without requests has no figure', () => {
  const { rtt } = sampleFiguresOf([{ repetition: 1, samples: [completed(0, 5), completed(1000, 7)] }], 4);
  expect(rtt.repetitions[0]?.medianUs).toEqual([5, Number.NaN, Number.NaN, 7]);
});

test('cells in turns have a window for each turn, and rates over the time of their own turns', () => {
  // Two levels: turns of 500 ms and gaps of 100 ms, so that each level has one turn in 1.2 s. The second level.
  const turns = { levels: 2, sliceUs: 500_000, gapUs: 100_000 };
  const inTurn = (turn: number) =>
    Array.from({ length: 5 }, (_, at) => completed(turn * 1_200_000 + 600_000 + at * 100_000, 1000 * (turn + 1)));
  const samples = [0, 1, 2].flatMap(inTurn);
  const late = { ...(samples[0] as SampleTimes), doneUs: 1_300_000 };
  const figures = sampleFiguresOf([{ repetition: 1, samples: [late, ...samples.slice(1)], turns }], 60);
  expect(figures.rtt.repetitions[0]).toMatchObject({ spanUs: 3_600_000, medianUs: [1000, 2000, 3000] });
  // 15 requests in 1.5 s of turns, of which one was answered in the turn of the other level after the gap.
  expect(figures.answeredRps[0]?.rps).toBeCloseTo(14 / 1.5, 6);
  const few = sampleFiguresOf([{ repetition: 1, samples, turns }], 2);
  expect(few.rtt.repetitions[0]?.medianUs).toHaveLength(2);
  const without = { ...turns, leftOut: { slices: 1, ofSlices: 3, requests: 5 } };
  const left = sampleFiguresOf([{ repetition: 1, samples: [...inTurn(0), ...inTurn(2)], turns: without }], 60);
  expect(left.answeredRps[0]?.rps).toBeCloseTo(10, 6);
});

test('answers after the load do not count as answered at the offered rate', () => {
  const late = { ...completed(500_000, 0), doneUs: 2_000_000 };
  const samples = [completed(0, 10), late, completed(1_000_000, 10)];
  expect(sampleFiguresOf([{ repetition: 3, samples }], 4).answeredRps).toEqual([{ repetition: 3, rps: 1 }]);
});
