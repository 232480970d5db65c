import { expect, it } from 'vitest';
import { delayedShare, statusCounts } from '../../src/load-url/answers.ts';

const took = (ms: number) => ({ sentUs: 1000, doneUs: 1000 + ms * 1000 });
const many = (count: number, ms: (at: number) => number) => Array.from({ length: count }, (_, at) => took(ms(at)));

it('counts answers by status, in order, without requests that had none', () => {
  const statuses = [500, 200, null, 200].map((status) => ({ status }));
  expect(Object.entries(statusCounts(statuses))).toEqual([
    ['200', 2],
    ['500', 1],
  ]);
});

it('finds a mode of 40 ms among fast answers', () => {
  expect(delayedShare([...many(60, () => 1), ...many(40, (at) => 40 + (at % 4))])).toBe(0.4);
});

it('finds none in a server that is slow in general, or in a few late answers', () => {
  expect(delayedShare(many(200, (at) => 20 + (at % 40)))).toBe(0);
  expect(delayedShare([...many(500, () => 1), ...many(12, () => 41)])).toBe(0);
  expect(delayedShare([{ sentUs: null, doneUs: null }])).toBe(0);
});
