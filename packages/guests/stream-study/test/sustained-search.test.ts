import { setImmediate as turn } from 'node:timers/promises';
import { type EventSource, nullSink, runJob, type Sink, SourceLag, type TumblingWindows } from '@topo-bench/streams';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../src/engine/outcome.ts';
import { keepsUp, pointsInOpenWindows, queueGrowth } from '../src/engine/queue-growth.ts';
import { searchSustained } from '../src/sustained-search.ts';

/** Batches of a source at a rate over a store with a capacity, as a queue computes them. */
function lagOf(ratePerSecond: number, capacityPerSecond: number, points: number): SourceLag {
  const lag = new SourceLag();
  let nowUs = 0;
  for (let position = 0; position < points; ) {
    const dueUs = (position * 1e6) / ratePerSecond;
    nowUs = Math.max(nowUs, dueUs);
    lag.add(position, nowUs - dueUs);
    const due = Math.floor((nowUs * ratePerSecond) / 1e6) + 1;
    const count = Math.max(1, Math.min(due - position, 2000, points - position));
    position += count;
    nowUs += (count * 1e6) / capacityPerSecond;
  }
  return lag;
}

describe('the growth of a queue', () => {
  const growth = (rate: number, capacity: number) =>
    queueGrowth(lagOf(rate, capacity, 50_000), 50_000, 50_000e6 / rate);

  it('is that of queueing above the capacity, 1 − capacity / rate … as lag of each second', () => {
    expect(growth(200_000, 100_000)).toBeCloseTo(1, 1);
    expect(growth(125_000, 100_000)).toBeCloseTo(0.25, 1);
  });

  it('is none below the capacity', () => {
    expect(Math.abs(growth(90_000, 100_000))).toBeLessThan(0.01);
  });

  it('does not take one stall for growth', () => {
    const lag = new SourceLag();
    for (let batch = 0; batch < 300; batch++) lag.add(batch * 100, batch === 290 ? 80_000 : 100);
    expect(queueGrowth(lag, 30_000, 300_000)).toBe(0);
  });
});

describe('the search for the sustained throughput', () => {
  const search = (capacity: number, count = 6) =>
    searchSustained(100_000, count, async (ratePerSecond) => ({
      ratePerSecond,
      queueGrowth: ratePerSecond > capacity ? 0.2 : 0,
    }));

  it('ends at the capacity, within the last step', async () => {
    for (const capacity of [55_000, 80_000, 120_000]) {
      const { sustainedPerSecond, trials } = await search(capacity);
      expect(trials).toHaveLength(6);
      expect(sustainedPerSecond).toBeLessThanOrEqual(capacity);
      expect(sustainedPerSecond).toBeGreaterThan(capacity / 3.25 ** (1 / 2 ** 6) - 1);
    }
  });

  it('has no result when every rate is too high, or without trials', async () => {
    expect((await search(10_000)).sustainedPerSecond).toBeUndefined();
    expect(await search(80_000, 0)).toEqual({ trials: [], sustainedPerSecond: undefined });
  });
});

/** Time that passes only when nothing is left to do but wait: no stall of the machine is part of a trial. */
function virtualTime() {
  let nowUs = 0;
  let turns = 0;
  const waiting: { dueUs: number; wake(): void }[] = [];
  const pass = (): void => {
    if (turns > 0) return void setImmediate(pass);
    waiting.sort((a, b) => a.dueUs - b.dueUs);
    const next = waiting.shift();
    if (!next) return;
    nowUs = Math.max(nowUs, next.dueUs);
    next.wake();
    if (waiting.length > 0) setImmediate(pass);
  };
  const sleepUs = (us: number): Promise<void> =>
    new Promise((wake) => {
      waiting.push({ dueUs: nowUs + us, wake });
      if (waiting.length === 1) setImmediate(pass);
    });
  return {
    clock: { nowUs: () => nowUs },
    sleepUs,
    /** As `pauseOnTimers`: a turn of the event loop, or whole milliseconds. */
    async pause(us: number): Promise<void> {
      if (us > 0) return sleepUs(Math.max(1, Math.floor(us / 1000)) * 1000);
      turns++;
      await turn();
      turns--;
    },
  };
}

/** Takes a fixed number of rows per second, from all partitions together. */
function sinkOf(rowsPerSecond: number, { clock, sleepUs }: ReturnType<typeof virtualTime>): Sink {
  let freeUs = 0;
  return {
    ...nullSink,
    async add({ count }) {
      freeUs = Math.max(freeUs, clock.nowUs()) + (count * 1e6) / rowsPerSecond;
      await sleepUs(freeUs - clock.nowUs());
    },
  };
}

describe('a trial on a database of fixed speed', () => {
  const capacity = 20_000;
  const points = 16_000;
  /** Each point has a cell of its own, at 100 points per second of event time. */
  const timesMs = Float64Array.from({ length: points }, (_, i) => i * 10);
  const source: EventSource = {
    length: points,
    read(position, count, batch) {
      for (let i = 0; i < count; i++) {
        [batch.keys[i], batch.values[i], batch.timesMs[i]] = [position + i, 1, (position + i) * 10];
      }
      batch.count = count;
    },
  };
  /** @param rowsPerWrite with more than the points, no buffer is ever full: the source never stops */
  const trial = async (ratePerSecond: number, rowsPerWrite: number, windows?: TumblingWindows) => {
    const settings = { windows, guarantee: 'exactly-once', partitions: 2, rowsPerWrite } as const;
    const timesUs = Float64Array.from(timesMs, (_, i) => (i * 1e6) / ratePerSecond);
    const time = virtualTime();
    const { clock, pause } = time;
    const result = await runJob({ ...settings, source, sink: sinkOf(capacity, time), timesUs, clock, pause });
    return outcomeOf(result, { points, ratePerSecond, timesMs, windows });
  };

  it('fails at 1.25 times the capacity with buffers of 1000 rows', async () => {
    expect(keepsUp(await trial(capacity * 1.25, 1000))).toBe(false);
  });

  it('fails at 1.25 times the capacity with buffers of 100000 rows, by the backlog alone', async () => {
    const outcome = await trial(capacity * 1.25, 100_000);
    expect(keepsUp(outcome)).toBe(false);
    // A quarter more points than it takes in the time.
    expect(outcome.queueGrowth).toBeLessThan(0.02);
    expect(outcome.backlog).toBeGreaterThan(0.12);
  });

  it.each([1000, 100_000])('succeeds at half the capacity with buffers of %d rows', async (rowsPerWrite) => {
    expect(keepsUp(await trial(capacity * 0.5, rowsPerWrite))).toBe(true);
  });

  it('does not blame the database for rows that waited for their window', async () => {
    // In 160 s, the rows of the last 30 s all come after the end of the schedule.
    const windows = { lengthMs: 1000, outOfOrderMs: 30_000 };
    const outcome = await trial(capacity * 0.5, 100_000, windows);
    expect(outcome.durationUs).toBeGreaterThan(1.07 * ((points * 1e6) / (capacity * 0.5)));
    expect(outcome.backlog).toBeLessThan(0.05);
    const overloaded = await trial(capacity * 1.4, 100_000, windows);
    expect(keepsUp(overloaded)).toBe(false);
  });
});

it('counts the points that still wait for the end of their window', () => {
  const windows = { lengthMs: 1000, outOfOrderMs: 500 };
  // Watermark 2700: the windows from 2000 and 3000 are open.
  const timesMs = Float64Array.of(100, 1999, 2000, 3200, 1500, 2999, 9000);
  expect(pointsInOpenWindows(timesMs, 6, windows)).toBe(3);
  expect(pointsInOpenWindows(timesMs, 6)).toBe(0);
});
