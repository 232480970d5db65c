import { monotonicClock } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EventSource,
  guarantees,
  nullSink,
  pauseOnTimers,
  runJob,
  type Sink,
  type StreamJob,
} from '../src/index.ts';
import { expectedHeatMap, type TestEvent } from './fixtures/heat-map-oracle.ts';
import { type Crash, MemorySink } from './fixtures/memory-sink.ts';

function sourceOf(events: readonly TestEvent[]): EventSource {
  return {
    length: events.length,
    read(position, count, batch) {
      for (let i = 0; i < count; i++) {
        const { key, value, timeMs } = events[position + i]!;
        [batch.keys[i], batch.values[i], batch.timesMs[i]] = [key, value, timeMs];
      }
      batch.count = count;
    },
  };
}

const common = {
  guarantee: 'exactly-once',
  partitions: 1,
  rowsPerWrite: 10,
  clock: monotonicClock,
  pause: pauseOnTimers,
} as const;

const event = fc.record({
  // Beyond 32 bits too.
  key: fc.integer({ min: 0, max: 12 }).map((key) => key * 2 ** 38 + key),
  value: fc.integer({ min: 1, max: 3 }),
  timeMs: fc.integer({ min: 0, max: 400 }),
});
/** Event times that increase, with some that are far behind. */
const stream = fc
  .array(event, { maxLength: 150, size: 'max' })
  .map((events) =>
    events.map((one, i) => ({ ...one, timeMs: one.timeMs % 3 === 0 ? one.timeMs : i * 20 + one.timeMs })),
  );
const setting = fc.record({
  events: stream,
  windows: fc.option(
    fc.record({ lengthMs: fc.constantFrom(1, 100, 1000), outOfOrderMs: fc.constantFrom(0, 150, 400) }),
    { nil: undefined },
  ),
  partitions: fc.integer({ min: 1, max: 3 }),
  rowsPerWrite: fc.integer({ min: 1, max: 8 }),
  eventsPerBatch: fc.integer({ min: 1, max: 20 }),
  writesPerCheckpoint: fc.integer({ min: 1, max: 4 }),
  isPaced: fc.boolean(),
});
const crashes = fc.array(fc.record({ call: fc.nat({ max: 25 }), isApplied: fc.boolean(), isTransient: fc.boolean() }), {
  maxLength: 4,
});

type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

const jobOf = ({ events, isPaced, ...rest }: Setting): Omit<StreamJob, 'sink' | 'guarantee'> => ({
  ...common,
  ...rest,
  source: sourceOf(events),
  timesUs: isPaced ? Float64Array.from(events, (_, i) => i * 10) : undefined,
});

/** Crashes after another, and then to the end: each time with new operators, on what the store kept. */
async function runWithCrashes(job: StreamJob, sink: MemorySink, plan: readonly Crash[]) {
  for (const crash of plan) {
    sink.crash = { ...crash, call: sink.callCount + crash.call };
    try {
      return await runJob({ ...job, resume: true });
    } catch (error) {
      expect((error as Error).message).toBe('crash');
    }
  }
  sink.crash = undefined;
  return runJob({ ...job, resume: true });
}

describe('a job', () => {
  it('gives the heat map of its input, whatever the order, the windows and the batches', async () => {
    await fc.assert(
      fc.asyncProperty(setting, fc.constantFrom(...guarantees), async (given, guarantee) => {
        const sink = new MemorySink();
        const result = await runJob({ ...jobOf(given), sink, guarantee });
        const { cells, late } = expectedHeatMap(given.events, given.windows);
        expect(sink.cells).toEqual(cells);
        expect([result.late, result.events]).toEqual([late, given.events.length]);
        expect(result.endToEndUs.length).toBe(result.rows);
        expect(result.endToEndUs.every((us) => us >= 0)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('neither loses nor repeats events exactly once, wherever it crashes', async () => {
    await fc.assert(
      fc.asyncProperty(setting, crashes, async (given, plan) => {
        const sink = new MemorySink();
        const result = await runWithCrashes({ ...jobOf(given), sink, guarantee: 'exactly-once' }, sink, plan);
        const { cells, late } = expectedHeatMap(given.events, given.windows);
        expect(sink.cells).toEqual(cells);
        expect(result.late).toBe(late);
      }),
      { numRuns: 300 },
    );
  });

  it('loses no event at least once, wherever it crashes', async () => {
    await fc.assert(
      fc.asyncProperty(setting, crashes, async (given, plan) => {
        const sink = new MemorySink();
        const result = await runWithCrashes({ ...jobOf(given), sink, guarantee: 'at-least-once' }, sink, plan);
        const { cells, late } = expectedHeatMap(given.events, given.windows);
        expect(new Set(sink.cells.keys())).toEqual(new Set(cells.keys()));
        for (const [key, { crossings, timeMs }] of cells) {
          expect(sink.cells.get(key)!.crossings).toBeGreaterThanOrEqual(crossings);
          expect(sink.cells.get(key)!.timeMs).toBe(timeMs);
        }
        expect(result.late).toBe(late);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['at-least-once', 20],
    ['exactly-once', 10],
  ] as const)('%s: a lost answer leaves %d crossings of 10 in the store', async (guarantee, crossings) => {
    const sink = new MemorySink();
    const events = Array.from({ length: 10 }, () => ({ key: 1, value: 1, timeMs: 5 }));
    const job: StreamJob = { ...common, source: sourceOf(events), sink, guarantee };
    await runWithCrashes(job, sink, [{ call: 0, isApplied: true }]);
    expect(sink.cells.get(1)?.crossings).toBe(crossings);
  });

  it.each(guarantees)('%s: a resumed job reads only what follows its last checkpoint', async (guarantee) => {
    const sink = new MemorySink();
    const events = Array.from({ length: 1000 }, (_, key) => ({ key, value: 1, timeMs: key }));
    const job = { ...common, source: sourceOf(events), sink, guarantee, writesPerCheckpoint: 3, eventsPerBatch: 10 };
    const result = await runWithCrashes(job, sink, [{ call: 60, isApplied: false }]);
    // At least once: 45 writes and 15 checkpoints, the last one after 450 events.
    expect(result.events).toBe(guarantee === 'exactly-once' ? 400 : 550);
  });

  it('does nothing when it is resumed after its end', async () => {
    const sink = new MemorySink();
    const job: StreamJob = { ...common, source: sourceOf([{ key: 1, value: 1, timeMs: 5 }]), sink, resume: true };
    await runJob(job);
    expect(await runJob(job)).toMatchObject({ events: 0, rows: 0 });
    expect(sink.cells.get(1)?.crossings).toBe(1);
  });

  it('stops the source while the store takes no rows, with two buffers of rows at most', async () => {
    let release = (): void => {};
    const blocked = new Promise<void>((resolve) => (release = resolve));
    let rows = 0;
    const add: Sink['add'] = async ({ count }) => {
      await blocked;
      rows += count;
    };
    const events = Array.from({ length: 1000 }, (_, key) => ({ key, value: 1, timeMs: key }));
    const read: number[] = [];
    const source = sourceOf(events);
    const watched: EventSource = {
      ...source,
      read: (position, count, batch) => {
        read.push(position + count);
        source.read(position, count, batch);
      },
    };
    const running = runJob({
      ...common,
      source: watched,
      sink: { ...nullSink, add },
      rowsPerWrite: 50,
      eventsPerBatch: 20,
    });
    await expect.poll(() => read.at(-1)).toBe(120);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(read.at(-1)).toBe(120);
    release();
    const { backPressureUs } = await running;
    expect([read.at(-1), rows]).toEqual([1000, 1000]);
    expect(backPressureUs).toBeGreaterThan(40_000);
  });

  it('measures from the intended time of an event, also when the store stalls', async () => {
    const stallMs = 100;
    let calls = 0;
    const add: Sink['add'] = async () => {
      if (calls++ === 0) await new Promise((resolve) => setTimeout(resolve, stallMs));
    };
    const events = Array.from({ length: 100 }, (_, key) => ({ key, value: 1, timeMs: key }));
    const timesUs = Float64Array.from(events, (_, i) => i * 1000);
    const { endToEndUs, durationUs } = await runJob({
      ...common,
      source: sourceOf(events),
      sink: { ...nullSink, add },
      timesUs,
    });
    expect(endToEndUs.length).toBe(100);
    // Events of the stall wait for its rest: half of it on average.
    expect(endToEndUs.reduce((sum, us) => sum + us, 0) / 100).toBeGreaterThan(stallMs * 300);
    expect(durationUs).toBeGreaterThan(99_000);
  });

  it('does not count the time of its claims', async () => {
    const claim: Sink['claim'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return { owner: 1, checkpoint: undefined };
    };
    const events = [{ key: 1, value: 1, timeMs: 1 }];
    const { durationUs, counts } = await runJob({
      ...common,
      source: sourceOf(events),
      sink: { ...nullSink, claim },
    });
    expect(durationUs).toBeLessThan(1_500_000);
    expect(counts.source).toEqual([1]);
  });

  it('counts what each operator passes on, by tenths of a second', async () => {
    const events = Array.from({ length: 400 }, (_, i) => ({ key: i % 4, value: 1, timeMs: i }));
    const job = { ...common, source: sourceOf(events), sink: nullSink, eventsPerBatch: 50 };
    // 20 events in each tenth: after a stall of the machine, those of more tenths are in one.
    const timesUs = Float64Array.from(events, (_, i) => i * 5000);
    const { counts, late } = await runJob({ ...job, timesUs, windows: { lengthMs: 100, outOfOrderMs: 0 } });
    const totals = Object.fromEntries(
      Object.entries(counts).map(([name, intervals]) => [name, intervals.reduce((sum, count) => sum + count, 0)]),
    );
    expect({ ...totals, late }).toEqual({ source: 400, keyBy: 400, aggregate: 16, sink: 16, late: 0 });
    expect(counts.source.length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...counts.source)).toBeLessThan(300);
  });

  it('stops on its signal', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));
    const job = { ...common, source: sourceOf([{ key: 1, value: 1, timeMs: 1 }]), sink: nullSink, signal };
    await expect(runJob(job)).rejects.toThrow('stopped');
  });
});

it('ends a pause when it is aborted, with the reason of the signal', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  // The second event is due in a minute.
  const source = sourceOf([
    { key: 1, value: 1, timeMs: 0 },
    { key: 2, value: 1, timeMs: 1 },
  ]);
  const job = { ...common, source, sink: nullSink, timesUs: Float64Array.of(0, 60e6), signal: abort.signal };
  const startMs = performance.now();
  setTimeout(() => abort.abort(reason), 50);
  await expect(runJob(job)).rejects.toBe(reason);
  expect(performance.now() - startMs).toBeLessThan(5000);
});
