/**
 * A job that reads: source of queries → (window) → reads from the store. Reads in flight are limited; a store that is
 * behind stops the source.
 */
import type { Clock } from '@topo-bench/core';
import type { HeatMap } from '@topo-bench/stores/heat-map';
import { Answers } from './answers.ts';
import { GrowingColumn } from './growing-column.ts';
import { Meter } from './meter.ts';
import { type Pace, paced, unpaced } from './pace.ts';
import { SourceLag } from './source-lag.ts';
import type { StreamResult } from './stream-job.ts';
import { type TumblingWindows, Watermark } from './watermark.ts';

export interface QuerySource {
  readonly length: number;
  timeMs(query: number): number;
  /** Cells that the query asks for. */
  cells(query: number): readonly number[];
}

export interface QueryJob {
  source: QuerySource;
  store: Pick<HeatMap, 'readMany'>;
  /** Queries of a window are sent to the store when it is complete. Without windows: at once. */
  windows?: TumblingWindows | undefined;
  /** Reads in flight; the store needs as many connections. As many queries more wait for a read. */
  reads: number;
  /** Intended times in µs since the start, one for each query. Without them, back-pressure sets the rate. */
  timesUs?: Float64Array | undefined;
  clock: Clock;
  /** As that of `StreamJob`. */
  pause(us: number, signal?: AbortSignal): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Rows are entries that the store returned, writes are reads. */
export interface QueryResult extends StreamResult {
  answers: Answers;
}

const eventsPerTurn = 2048;

/** Rejects with the first error of the store, after all reads in flight have ended. @throws the reason of `signal` */
export async function runQueries(job: QueryJob): Promise<QueryResult> {
  const run = new QueryRun(job);
  try {
    await run.toEnd();
  } finally {
    await run.settled();
  }
  return run.result();
}

class QueryRun {
  private readonly startUs: number;
  private readonly meter: Meter;
  private readonly answers: Answers;
  private readonly pace: Pace;
  private readonly watermark: Watermark | undefined;
  private readonly lag = new SourceLag();
  private readonly endToEndUs = new GrowingColumn();
  private readonly storeUs = new GrowingColumn();
  private readonly createdUs: Float64Array;
  private readonly open = new Map<number, number[]>();
  private readonly inFlight = new Set<Promise<void>>();
  private waiting: number[] = [];
  /** Queries before it have left the list. */
  private taken = 0;
  private position = 0;
  private late = 0;
  private rows = 0;
  private backPressureUs = 0;
  private failure: { error: unknown } | undefined;

  constructor(private readonly job: QueryJob) {
    const { source, windows, timesUs, clock } = job;
    this.startUs = clock.nowUs();
    this.meter = new Meter(this.startUs);
    this.answers = new Answers(source.length);
    this.createdUs = new Float64Array(source.length);
    this.pace = timesUs ? paced(timesUs, this.startUs, 0) : unpaced(source.length);
    this.watermark = windows && new Watermark(windows, Number.NEGATIVE_INFINITY);
  }

  async toEnd(): Promise<void> {
    const { source, clock, signal, pause } = this.job;
    while (this.position < source.length) {
      signal?.throwIfAborted();
      const nowUs = clock.nowUs();
      const count = Math.min(this.pace.due(nowUs) - this.position, eventsPerTurn);
      if (count > 0) await this.process(count, nowUs);
      const isIdle = this.pace.due(clock.nowUs()) === this.position;
      const idleUs = isIdle && this.position < source.length ? this.pace.nextUs(this.position) - clock.nowUs() : 0;
      await pause(idleUs, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
    }
    this.fire(Number.POSITIVE_INFINITY);
    while (this.length > 0 || this.inFlight.size > 0) await this.untilNext();
  }

  async settled(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  result(): QueryResult {
    const { late, rows, backPressureUs, lag, answers } = this;
    const storeUs = this.storeUs.values();
    return {
      events: this.position,
      late,
      rows,
      writes: storeUs.length,
      checkpoints: 0,
      durationUs: this.job.clock.nowUs() - this.startUs,
      backPressureUs,
      lag,
      endToEndUs: this.endToEndUs.values(),
      storeUs,
      counts: this.meter.counts,
      answers,
    };
  }

  private async process(count: number, nowUs: number): Promise<void> {
    const first = this.position;
    this.pace.created(first, count, nowUs, this.createdUs.subarray(first, first + count));
    if (this.job.timesUs) this.lag.add(first, nowUs - (this.createdUs[first] as number));
    for (; this.position < first + count; this.position++) {
      const atUs = this.job.clock.nowUs();
      // At full speed, a query is created when the source takes it, not when its batch begins.
      if (!this.job.timesUs) this.createdUs[this.position] = atUs;
      this.meter.count('source', 1, atUs);
      this.add(this.position);
      this.start();
      await this.belowLimit();
    }
  }

  private add(query: number): void {
    const windowMs = this.watermark?.windowOf(this.job.source.timeMs(query));
    if (windowMs === undefined) {
      this.pass([query]);
      return;
    }
    if (Number.isNaN(windowMs)) {
      this.late++;
      return;
    }
    this.meter.count('keyBy', 1, this.job.clock.nowUs());
    const others = this.open.get(windowMs);
    if (others) others.push(query);
    else this.open.set(windowMs, [query]);
    this.fire((this.watermark as Watermark).timeMs);
  }

  /** Passes on the queries of windows that end at or before the watermark. */
  private fire(watermarkMs: number): void {
    const lengthMs = this.job.windows?.lengthMs ?? 0;
    for (const [startMs, queries] of this.open) {
      if (startMs + lengthMs > watermarkMs) continue;
      this.open.delete(startMs);
      this.pass(queries);
    }
    this.start();
  }

  private pass(queries: readonly number[]): void {
    const nowUs = this.job.clock.nowUs();
    if (!this.watermark) this.meter.count('keyBy', queries.length, nowUs);
    this.meter.count('aggregate', queries.length, nowUs);
    this.waiting.push(...queries);
  }

  private get length(): number {
    return this.waiting.length - this.taken;
  }

  private start(): void {
    while (this.length > 0 && this.inFlight.size < this.job.reads && !this.failure) {
      const query = this.waiting[this.taken++] as number;
      const read = this.read(query)
        .catch((error: unknown) => {
          this.failure ??= { error };
        })
        .finally(() => {
          this.inFlight.delete(read);
          this.start();
        });
      this.inFlight.add(read);
    }
    if (this.taken < eventsPerTurn) return;
    this.waiting = this.waiting.slice(this.taken);
    this.taken = 0;
  }

  private async read(query: number): Promise<void> {
    const { clock, store, source } = this.job;
    const startUs = clock.nowUs();
    const entries = await store.readMany(source.cells(query));
    const endUs = clock.nowUs();
    this.storeUs.push(endUs - startUs);
    this.endToEndUs.push(endUs - (this.createdUs[query] as number));
    this.rows += entries.length;
    this.meter.count('sink', 1, endUs);
    this.answers.add(query, entries);
  }

  /** Back-pressure: the source stops while more queries wait than reads may be in flight. */
  private async belowLimit(): Promise<void> {
    if (this.failure) throw this.failure.error;
    if (this.length <= this.job.reads) return;
    const startUs = this.job.clock.nowUs();
    while (this.length > this.job.reads) await this.untilNext();
    this.backPressureUs += this.job.clock.nowUs() - startUs;
  }

  /** Waits for the end of one read. @throws the store's error */
  private async untilNext(): Promise<void> {
    this.job.signal?.throwIfAborted();
    await Promise.race(this.inFlight);
    if (this.failure) throw this.failure.error;
  }
}
