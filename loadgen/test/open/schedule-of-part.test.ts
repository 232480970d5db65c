import { arrivalLaws } from '@topo-bench/core/schema/experiment';
import { durationInTurnsUs, scheduleOfPart, scheduleUs } from '@topo-bench/workload';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LoadJob } from '../../src/load-job.ts';
import { prepareRequests } from '../../src/open/prepared-requests.ts';
import { requireWholeSchedule } from '../../src/open/whole-schedule.ts';
import { jobFor } from '../fixtures/server.ts';

/** Every request of all parts as [index, time], by index. */
function union(job: LoadJob, parts: number): [number, number][] {
  const requests = Array.from({ length: parts }, (_, part) => scheduleOfPart(job, { part, parts })).flatMap(
    ({ indexes, timesUs }) => Array.from(indexes, (index, row): [number, number] => [index, timesUs[row] as number]),
  );
  return requests.sort(([a], [b]) => a - b);
}

const plain = jobFor('http://127.0.0.1:1/', { arrivals: 'poisson', rateRps: 500, durationUs: 2_000_000 });
const turns = { sliceUs: 250_000, gapUs: 50_000 };
const inTurns: LoadJob = {
  ...plain,
  urls: ['http://127.0.0.1:1/', 'http://127.0.0.1:2/', 'http://127.0.0.1:3/'],
  turns,
  durationUs: durationInTurnsUs(2_000_000, 3, turns),
};

describe('the schedule', () => {
  it.each([1, 2, 5])('is the same for every number of parts: %i', (parts) => {
    const whole = Array.from(scheduleUs(plain), (timeUs, index) => [index, timeUs]);
    expect(whole.length).toBeGreaterThan(800);
    expect(union(plain, parts)).toEqual(whole);
  });

  it.each([2, 5])('of alternating servers is the same for every number of parts: %i', (parts) => {
    expect(union(inTurns, parts)).toEqual(union(inTurns, 1));
    expect(union(inTurns, 1)).toHaveLength(3 * scheduleUs(inTurns).length);
  });
});

describe('the requests of generators', () => {
  it('are together those of one, whatever their number: times, ids and bytes, of the warm-up too', () => {
    const jobs = fc.record({
      seed: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      // 0 is the warm-up's.
      repetition: fc.integer({ min: 0, max: 3 }),
      arrivals: fc.constantFrom(...arrivalLaws),
      rateRps: fc.double({ min: 1, max: 900, noNaN: true }),
      durationUs: fc.integer({ min: 100_000, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(jobs, fc.boolean(), (changes, areInTurns) => {
        const durationUs = areInTurns ? durationInTurnsUs(changes.durationUs, 3, turns) : changes.durationUs;
        const job = { ...(areInTurns ? inTurns : plain), ...changes, durationUs };
        const one = requestsOf(job, 1);
        expect(one.map(({ index }) => index)).toEqual(one.map((_, row) => row));
        for (const generators of [2, 5]) expect(requestsOf(job, generators)).toEqual(one);
        expect(() => requireWholeSchedule(job, columns(one))).not.toThrow();
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['lost', (all: Sent[]) => all.slice(0, -1)],
    ['sent twice', (all: Sent[]) => [...all.slice(0, 5), ...all.slice(4)]],
    [
      'at another time',
      (all: Sent[]) => all.map((one, row) => (row === 7 ? { ...one, timeUs: one.timeUs + 1e-3 } : one)),
    ],
  ])('are refused when one is %s', (_, change) => {
    expect(() => requireWholeSchedule(plain, columns(change(requestsOf(plain, 2))))).toThrow(
      expect.objectContaining({ code: 'TB_LOAD_GENERATORS_DIFFER' }),
    );
  });
});

interface Sent {
  index: number;
  timeUs: number;
  bytes: string;
}

/** What all generators together send, by index. */
function requestsOf(job: LoadJob, parts: number): Sent[] {
  const each = Array.from({ length: parts }, (_, part) => {
    const { indexes, timesUs } = scheduleOfPart(job, { part, parts });
    const { take } = prepareRequests(job, indexes);
    return Array.from(indexes, (index, row) => ({
      index,
      timeUs: timesUs[row] as number,
      bytes: take(row).message.toString(),
    }));
  });
  return each.flat().sort((a, b) => a.index - b.index);
}

function columns(sent: readonly Sent[]) {
  return {
    index: Uint32Array.from(sent, ({ index }) => index),
    intendedUs: Float64Array.from(sent, ({ timeUs }) => timeUs),
  };
}
