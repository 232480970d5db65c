import type { Cell } from '@topo-bench/core/schema/result';
import { expect, it } from 'vitest';
import { commonMetrics } from '../src/metric-table.ts';
import { holds, parseThreshold } from '../src/threshold.ts';

const figures = { requests: 0, decisions: 0, letThrough: 0, refused: 0, exposedBytes: {}, lastUs: 0 };
const staleness = {
  versions: [
    { digest: 'a', confirmedAfterUs: 2e4, lastUs: 1e4 },
    { digest: 'b', confirmedAfterUs: 4e4, lastUs: 3e4 },
  ],
  sinceConfirmed: { ...figures, t50Us: 2e3, t99Us: 9e3 },
  sinceAsked: {
    ...figures,
    decisions: 5,
    requests: 4,
    letThrough: 3,
    refused: 2,
    exposedBytes: { payment: 8, personal: 4 },
    t50Us: 1e4,
    lastUs: 3e4,
  },
  torn: 2,
};
const cell = (changes: object = staleness): Cell => ({ staleness: changes }) as unknown as Cell;
const read = (name: string, of: Cell) => commonMetrics.named(name).read(of);

it('the staleness of rules counts from the request of a change, and from its confirmation', () => {
  expect(read('staleness.last', cell())).toBe(3e4);
  expect(read('staleness', cell())).toBe(3e4);
  expect(read('staleness.t50', cell())).toBe(1e4);
  expect(read('staleness.last.confirmed', cell())).toBe(0);
  expect(read('staleness.t50.confirmed', cell())).toBe(2e3);
  expect(read('staleness.t99.confirmed', cell())).toBe(9e3);
  expect(read('staleness.confirmed', cell())).toBe(3e4);
  expect(read('stale.letThrough.asked', cell())).toBe(3);
  expect(read('stale.exposed.asked', cell())).toBe(12);
  expect(read('stale.refused.asked', cell())).toBe(2);
  expect(read('stale.requests.asked', cell())).toBe(4);
  expect(read('stale', cell())).toBe(0);
  expect(read('torn', cell())).toBe(2);
});

it('a change that was never confirmed has an infinite time, and a cell without changes no figure', () => {
  expect(read('staleness.confirmed', cell({ ...staleness, versions: [{ digest: 'a', lastUs: 0 }] }))).toBe(Infinity);
  expect(read('staleness.last', {} as Cell)).toBeUndefined();
});

it('thresholds name them', () => {
  const threshold = parseThreshold('staleness.last < 50ms');
  expect(holds(threshold, read('staleness.last', cell()) as number)).toBe(true);
  expect(holds(parseThreshold('staleness.last < 20ms'), read('staleness.last', cell()) as number)).toBe(false);
  expect(holds(parseThreshold('torn.requests < 1'), read('torn.requests', cell()) as number)).toBe(false);
});
