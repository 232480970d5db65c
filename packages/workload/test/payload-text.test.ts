import { randomStream } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { payloadText } from '../src/payload-text.ts';

it('text depends on the seed alone, whatever text came before it, and at which max size', () => {
  const random = randomStream(1, 'a test');
  /** The last value that a text has. */
  const lastValue = (seed: number, bytes: number): string =>
    payloadText(seed, bytes)({ ...random, integer: (below) => below - 1 }, bytes);
  const first = lastValue(1, 100);
  const other = lastValue(2, 100);
  expect(other).not.toBe(first);
  const longer = lastValue(2, 5000);
  expect([longer.length, longer.slice(0, 100)]).toEqual([5000, other]);
  expect([lastValue(2, 100), lastValue(1, 100)]).toEqual([other, first]);
});
