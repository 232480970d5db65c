/**
 * Values that laws drew when they were first released. A change here makes every figure that was measured under a seed
 * incomparable with those measured from then on.
 */
import { createHash } from 'node:crypto';
import { SeededTable } from '@topo-bench/columns';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import { roundOrder } from '@topo-bench/experiment';
import {
  type LoadSchedule,
  linkDelayUs,
  requestGenerator,
  type StoreWorkload,
  scheduleUs,
  seededItem,
  serviceTimeUs,
  storeRequests,
  turnOrder,
} from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
const first = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const [seed, repetition] = [7, 3];

const classes: RequestClass[] = [
  {
    name: 'order',
    weight: 3,
    origin: { eu: 2, us: 1 },
    purpose: 'contract',
    consents: { ads: 0.4 },
    payload: { customer: { category: 'personal', size: 48 } },
  },
  { name: 'ping', weight: 1, origin: 'eu', purpose: 'service', consents: ['x'], payload: {} },
];

describe('under the same seed', () => {
  it('requests leave at the same times', () => {
    const load: LoadSchedule = { arrivals: 'poisson', rateRps: 200, durationUs: 2e6, seed, repetition, urls: ['a'] };
    const times = [...scheduleUs(load)];
    expect(times.length).toBe(362);
    expect(times.slice(0, 3)).toEqual([297.951470617589, 9072.0120573306, 21055.515066390908]);
    expect(digest(times)).toBe('33a9c8d9d22a43af');
  });

  it('requests have the same content', () => {
    expect(digest(first(50, requestGenerator({ classes, seed, repetition })))).toBe('ee7f343a495944b2');
  });

  it('stores get the same operations on the same rows', () => {
    const workload: StoreWorkload = {
      reads: 0.5,
      queries: 0.5,
      creates: 0.5,
      keys: 'zipfian',
      skew: 0.99,
      limit: 20,
      documentBytes: 1500,
      dataset: { rows: 1000, seed: 5 },
      path: '/items',
      classes,
    };
    expect(digest(first(50, storeRequests(workload, seed, repetition)))).toBe('0262ff75c9a789cc');
    expect(digest(first(30, (number) => seededItem(5, number, 1000)))).toBe('1007b9d38c424ab4');
  });

  it('services work as long, and links delay as much', () => {
    const work = (law: object) => serviceTimeUs({ meanUs: 1000, ...law } as never, seed, 'r1-000001', 'svc-1');
    expect(work({ law: 'exponential' })).toBe(962.1189118029519);
    expect(work({ law: 'lognormal', sigma: 0.5 })).toBe(1025.323386193938);
    const there = (requestId: string) =>
      linkDelayUs({ delayUs: 1000, jitterUs: 300 }, seed, { requestId, hop: 2, fromNode: 0, toNode: 1 });
    expect([there('r1-000001'), there('r1-000002')]).toEqual([1256.234933482483, 1041.1308859474957]);
    const back = { requestId: 'r1-000001', hop: 5, fromNode: 1, toNode: 0 };
    expect(linkDelayUs({ delayUs: 5, jitterUs: 50 }, seed, back)).toBe(19.31641480885446);
  });

  it('tables have the same values', () => {
    const column = (name: string, type: string, more = {}) => ({
      name,
      type,
      category: 'none',
      nulls: 0,
      size: 8,
      ...more,
    });
    const columns = [
      column('n', 'int32', { nulls: 0.1 }),
      column('t', 'text', { values: ['a', 'b', 'c'] }),
      column('f', 'float64'),
    ];
    const table = new SeededTable({ rows: 300, batchRows: 100, columns } as unknown as ArrowService, 'svc', seed);
    expect(
      digest(
        table
          .batchAt(1)
          .toArray()
          .map((row) => row.toJSON()),
      ),
    ).toBe('e8a6827e3bded274');
  });

  it('cells and servers take turns in the same order', () => {
    expect(first(5, turnOrder(seed, repetition, 3))).toEqual([
      [2, 0, 1],
      [1, 0, 2],
      [1, 2, 0],
      [0, 2, 1],
      [1, 2, 0],
    ]);
    const groups = roundOrder(['a1', 'a2', 'b1', 'b2', 'c1'], (cell) => cell.charAt(0), seed, 2);
    expect(groups.map(({ members }) => members)).toEqual([['c1'], ['a2', 'a1'], ['b1', 'b2']]);
  });
});
