/** Results from answers of Flink's REST interface, against figures worked out by hand. */
import { describe, expect, it } from 'vitest';
import { type JobAnswers, resultOf } from '../../src/flink/job-result.ts';

const accumulators = {
  startUs: '1700000000050000',
  endUs: '1700000000350000',
  events: '1000',
  rows: '4',
  writes: '2',
  attempt: '0',
  endToEnd: '{384=1, 255=1, 256=1}',
  storeAccess: '{0=1, 10=1}',
  source: '{17000000000=600, 17000000002=400}',
  'cpuStartUs:7@host:source': '500',
  'cpuStartUs:7@host:sink': '200',
  'cpuEndUs:7@host:sink': '1200',
  'memoryBytes:7@host:source': '3000',
  'cpuStartUs:8@host:sink': '100',
  'cpuEndUs:8@host:sink': '150',
  'memoryBytes:8@host:sink': '4000',
};
const vertex = { name: 'Source: positions', parallelism: 1 };
const job = { points: 1000, ratePerSecond: undefined };

function answersWith(
  more: Record<string, string> = {},
  metrics: Record<string, number | string> = { 'write-records': 900, 'accumulated-busy-time': 7 },
): JobAnswers {
  const values = Object.entries({ ...accumulators, ...more });
  return {
    version: '1.20.3',
    job: { state: 'FINISHED', vertices: [{ ...vertex, metrics }] },
    checkpoints: { counts: { completed: 3, failed: 1 }, summary: { end_to_end_duration: { avg: 12, max: 20 } } },
    accumulators: { 'user-task-accumulators': values.map(([name, value]) => ({ name, value })) },
  };
}

describe('the result of a job on Flink', () => {
  it('has the middles of the buckets of its times', () => {
    const { endToEndUs, storeUs } = resultOf(answersWith(), job);
    // Below 256 µs a bucket is one value; 256 has 256 and 257, and 384 has 512 to 515.
    expect([...endToEndUs]).toEqual([255, 256.5, 513.5]);
    expect([...storeUs]).toEqual([0, 10]);
  });

  it('counts tenths of a second from its start, and the process time of each task manager once', () => {
    const result = resultOf(answersWith(), job);
    expect(result).toMatchObject({ events: 1000, rows: 4, writes: 2, late: 0, durationUs: 300_000, checkpoints: 3 });
    expect(result.counts.source).toEqual([600, 0, 400]);
    expect(result).toMatchObject({ cpuUs: 1000 + 50, peakRssBytes: 7000 });
    expect(result.flink.checkpoints).toEqual({ completed: 3, failed: 1, meanUs: 12_000, maxUs: 20_000 });
  });

  it('has no time of a task without one in Flink', () => {
    const taskOf = (metrics: Record<string, number | string>) => resultOf(answersWith({}, metrics), job).flink.tasks[0];
    const known = { ...vertex, records: 900, recordsPerSecond: 3000 };
    expect(taskOf({ 'write-records': 900, 'accumulated-busy-time': 7 })).toEqual({ ...known, busyUs: 7000 });
    expect(taskOf({ 'write-records': 900, 'accumulated-busy-time': 'NaN' })).toEqual(known);
  });

  it('is refused when points are missing, unless the job was restarted', () => {
    expect(() => resultOf(answersWith({ events: '999' }), job)).toThrow(/got 999, expected 1000$/);
    expect(resultOf(answersWith({ events: '400', attempt: '1' }), job)).toMatchObject({ events: 400 });
  });

  it('is refused when no row was written', () => {
    expect(() => resultOf(answersWith({ endUs: '0' }), job)).toThrow('ended without a row');
  });
});
