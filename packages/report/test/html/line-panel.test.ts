import { expect, test } from 'vitest';
import { linePoint } from '../../src/html/line-panel.ts';

const infinity = Number.POSITIVE_INFINITY;

test('a repetition whose figure falls on an unfinished request counts for the median of a point', () => {
  expect(linePoint(3, 1, [7, infinity, 5])).toEqual({ cell: 3, level: 1, value: 7, repetitions: [7, 5], count: 3 });
  expect(linePoint(0, 0, [5, infinity, infinity])).toMatchObject({ value: null, repetitions: [5], count: 3 });
});

test('a repetition without the figure does not count', () => {
  expect(linePoint(0, 0, [Number.NaN, 4])).toMatchObject({ value: 4, repetitions: [4], count: 1 });
  expect(linePoint(0, 0, [Number.NaN])).toMatchObject({ value: null, repetitions: [], count: 0 });
});

test('the interval of the median needs six repetitions and finite ends', () => {
  expect(linePoint(0, 0, [1, 2, 3, 4, 5, 6])).toMatchObject({ value: 3.5, interval: [1, 6] });
  expect(linePoint(0, 0, [1, 2, 3, 4, 5, infinity])).not.toHaveProperty('interval');
});
