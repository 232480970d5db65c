import { describe, expect, it } from 'vitest';
import type { LoadJob } from '../../src/load-job.ts';
import { scheduleOfPart, scheduleUs } from '../../src/open/run-shard.ts';
import { durationInTurnsUs } from '../../src/turns.ts';
import { jobFor } from '../fixture/server.ts';

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
