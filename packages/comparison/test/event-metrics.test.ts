import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import { commonMetrics } from '../src/metric-table.ts';
import { holds, parseThreshold } from '../src/threshold.ts';

const crash = (lost: number, failed: number, recoveredUs: number) => {
  const begin = { atUs: 1, requestedUs: 1, effectiveUs: 2 };
  return { name: 'crash p', kind: 'crash', roles: ['p'], begin, effects: { lost, failed, late: 0, recoveredUs } };
};
const cell = (events?: object[]): Cell => ({ events, classes: { scheduled: 200, lost: 4 } }) as unknown as Cell;
const read = (name: string, of: Cell) => commonMetrics.named(name).read(of);

it('requests per crash and times until recovery are means over the crashes of a repetition', () => {
  const two = cell([crash(2, 5, 4e5), crash(4, 6, 8e5), { ...crash(100, 100, 9e9), kind: 'freeze' }]);
  expect(read('lost.perCrash', two)).toBe(3);
  expect(read('failed.perCrash', two)).toBe(5.5);
  expect(read('unserved.perCrash', two)).toBe(8.5);
  expect(read('crash.recovered', two)).toBe(6e5);
  expect(read('lost.rate', two)).toBe(0.02);
  expect(['lost.perFreeze', 'unserved.perFreeze', 'freeze.recovered'].map((name) => read(name, two))).toEqual([
    100, 200, 9e9,
  ]);
  expect(read('lost.perFreeze', cell([crash(2, 5, 4e5)]))).toBeUndefined();
});

it('a cell without crashes has no such figure, and one that never recovered has +∞', () => {
  expect(read('lost.perCrash', cell())).toBeUndefined();
  expect(read('crash.detected', cell([crash(1, 1, 1)]))).toBeUndefined();
  const never = Number.POSITIVE_INFINITY;
  expect(read('crash.recovered', cell([crash(1, 1, 1), crash(1, 1, never)]))).toBe(Infinity);
  // One crash that another one followed too soon is not the answer for all.
  expect(read('crash.recovered', cell([crash(1, 1, 1), crash(1, 1, 3), crash(1, 1, never)]))).toBe(3);
});

it('thresholds name them', () => {
  const threshold = parseThreshold('lost.perCrash < 3');
  expect(holds(threshold, read('lost.perCrash', cell([crash(2, 5, 1)])) as number)).toBe(true);
  expect(holds(threshold, read('lost.perCrash', cell([crash(4, 5, 1)])) as number)).toBe(false);
  expect(parseThreshold('crash.recovered < 1.5s').limit).toBe(1.5e6);
});

it('steps that were taken over are a figure per crash and of all requests, where another point may take over', () => {
  const [one, other] = [crash(0, 0, 1), crash(0, 0, 1)];
  const taking = (steps: number, event: typeof one) => ({ ...event, effects: { ...event.effects, takenOver: steps } });
  const both = { ...cell([taking(3, one), taking(6, other)]), takenOver: { requests: 7, steps: 11 } };
  expect(['takenOver.perCrash', 'takenOver', 'takenOver.requests'].map((name) => read(name, both))).toEqual([
    4.5, 11, 7,
  ]);
  expect(read('takenOver.perCrash', cell([one]))).toBeUndefined();
  expect(read('takenOver.steps', cell([one]))).toBeUndefined();
  expect(holds(parseThreshold('takenOver.perCrash > 4'), read('takenOver.perCrash', both) as number)).toBe(true);
});
