/** Runs a job to the end of its source: reads batches, passes them through the operators, and waits for the store. */
import type { Claim } from '@topo-bench/stores/heat-map';
import { eventBatch } from './event-batch.ts';
import { partitionOfKey } from './keyed-sums.ts';
import { Meter } from './meter.ts';
import { type Pace, paced, unpaced } from './pace.ts';
import { Partition } from './partition.ts';
import { decodeState } from './partition-state.ts';
import { SourceLag } from './source-lag.ts';
import type { StreamJob, StreamResult } from './stream-job.ts';
import { Watermark } from './watermark.ts';

const defaultEventsPerBatch = 2048;
const pollUs = 1000;

/**
 * Rejects with the first error of the sink, after all writes in flight have ended. The job can then be resumed.
 * @throws the reason of `signal`
 */
export async function runJob(job: StreamJob): Promise<StreamResult> {
  const claims = await claimAll(job);
  // Claims are set-up: not even their time belongs to the job.
  const startUs = job.clock.nowUs();
  const meter = new Meter(startUs);
  const partitions = claims.map((claim, index) => claimed(new Partition(index, job, meter), claim, job));
  const run = new Run(job, partitions, meter);
  try {
    await run.toEnd();
  } finally {
    await Promise.all(partitions.map((partition) => partition.settled()));
  }
  return resultOf(run, partitions, job.clock.nowUs() - startUs, meter);
}

/** Writes of an earlier job that are still on their way have no effect from now on. */
function claimAll({ partitions, sink }: StreamJob): Promise<Claim[]> {
  return Promise.all(Array.from({ length: partitions }, (_, index) => sink.claim(index)));
}

/** The partition as its new owner starts it. */
function claimed(partition: Partition, { owner, checkpoint: saved }: Claim, { clock, resume }: StreamJob): Partition {
  partition.owner = owner;
  if (!saved || !resume) return partition;
  partition.position = saved.position;
  partition.state = decodeState(saved.state, clock.nowUs());
  return partition;
}

class Run {
  events = 0;
  backPressureUs = 0;
  readonly lag = new SourceLag();
  private position: number;
  private readonly batch;
  private readonly pace: Pace;
  private readonly watermark: Watermark | undefined;
  /** Position of each partition at the start: it includes the events before it already. */
  private readonly skipped: readonly number[];
  private readonly lastSkipped: number;

  constructor(
    private readonly job: StreamJob,
    private readonly partitions: readonly Partition[],
    private readonly meter: Meter,
  ) {
    const { source, windows, timesUs, clock, eventsPerBatch = defaultEventsPerBatch } = job;
    this.skipped = partitions.map(({ position }) => position);
    this.position = Math.min(...this.skipped);
    this.lastSkipped = Math.max(...this.skipped);
    this.batch = eventBatch(eventsPerBatch);
    this.pace = timesUs ? paced(timesUs, clock.nowUs(), this.position) : unpaced(source.length);
    // The earliest partition has the event time at the position where the source starts again.
    const earliest = partitions.find(({ position }) => position === this.position) as Partition;
    this.watermark = windows && new Watermark(windows, earliest.state.latestMs);
  }

  async toEnd(): Promise<void> {
    const { source, clock, signal, pause } = this.job;
    while (this.position < source.length) {
      signal?.throwIfAborted();
      const due = Math.min(this.pace.due(clock.nowUs()) - this.position, this.batch.keys.length);
      const count = due > 0 && source.load ? await source.load(this.position, due) : due;
      if (count > 0) {
        this.process(count, clock.nowUs());
        await this.writeFull();
      }
      // Without more events to process, rows need not wait for others.
      const isIdle = this.pace.due(clock.nowUs()) === this.position;
      if (isIdle) this.writeIdle();
      // The sockets of the store need turns of the event loop as well.
      await pause(isIdle ? this.idleUs() : 0, signal).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw error;
      });
    }
    await this.finish();
  }

  private process(count: number, nowUs: number): void {
    const { source } = this.job;
    const { batch, meter } = this;
    source.read(this.position, count, batch);
    this.pace.created(this.position, count, nowUs, batch.createdUs);
    this.events += count;
    if (this.job.timesUs) this.lag.add(this.position, nowUs - (batch.createdUs[0] as number));
    meter.count('source', count, nowUs);
    const summed = this.aggregate(count);
    let passedOn = this.watermark ? 0 : summed;
    this.position += count;
    for (const partition of this.partitions) {
      if (this.watermark) passedOn += partition.fire(this.watermark.timeMs);
      if (partition.position > this.position) continue;
      partition.position = this.position;
      partition.state.latestMs = this.watermark?.latestMs ?? Number.NEGATIVE_INFINITY;
    }
    meter.count('aggregate', passedOn, this.job.clock.nowUs());
  }

  /** Key by and sum, event by event: the watermark moves with each. @returns the number of events in sums */
  private aggregate(count: number): number {
    const { keys, values, timesMs, createdUs } = this.batch;
    const { partitions, watermark, skipped } = this;
    const isReplayed = this.position < this.lastSkipped;
    let [keyed, late] = [0, 0];
    for (let i = 0; i < count; i++) {
      const key = keys[i] as number;
      const timeMs = timesMs[i] as number;
      const at = partitions.length === 1 ? 0 : partitionOfKey(key, partitions.length);
      const windowMs = watermark?.windowOf(timeMs);
      if (isReplayed && this.position + i < (skipped[at] as number)) continue;
      const partition = partitions[at] as Partition;
      keyed++;
      if (windowMs !== undefined && Number.isNaN(windowMs)) {
        partition.state.late++;
        late++;
      } else {
        partition.add(windowMs, key, values[i] as number, timeMs, createdUs[i] as number);
      }
    }
    this.meter.count('keyBy', keyed, this.job.clock.nowUs());
    return keyed - late;
  }

  /** Starts writes of full buffers. A partition whose store is behind stops the source: back-pressure. */
  private async writeFull(): Promise<void> {
    for (const partition of this.partitions) {
      if (!partition.isFull) continue;
      if (partition.isWriting) {
        const startUs = this.job.clock.nowUs();
        await partition.written();
        this.backPressureUs += this.job.clock.nowUs() - startUs;
      }
      partition.startWrite(false);
    }
  }

  private writeIdle(): void {
    for (const partition of this.partitions) {
      if (partition.hasRows && !partition.isWriting) partition.startWrite(false);
    }
  }

  /** Time until the next event, or to look whether the store takes more rows. */
  private idleUs(): number {
    if (this.position === this.job.source.length) return 0;
    const untilNextUs = this.pace.nextUs(this.position) - this.job.clock.nowUs();
    return this.partitions.some(({ hasRows }) => hasRows) ? Math.min(untilNextUs, pollUs) : untilNextUs;
  }

  private async finish(): Promise<void> {
    for (const partition of this.partitions) {
      await partition.written();
      this.meter.count('aggregate', partition.fire(Number.POSITIVE_INFINITY), this.job.clock.nowUs());
      partition.startWrite(true);
    }
    for (const partition of this.partitions) await partition.written();
  }
}

function resultOf(run: Run, partitions: readonly Partition[], durationUs: number, meter: Meter): StreamResult {
  const sum = (figure: (partition: Partition) => number) =>
    partitions.reduce((total, partition) => total + figure(partition), 0);
  const joined = (column: (partition: Partition) => Float64Array): Float64Array => {
    const all = new Float64Array(sum((partition) => column(partition).length));
    let at = 0;
    for (const partition of partitions) {
      all.set(column(partition), at);
      at += column(partition).length;
    }
    return all;
  };
  return {
    events: run.events,
    late: sum(({ state }) => state.late),
    rows: sum(({ rows }) => rows),
    writes: sum(({ writes }) => writes),
    checkpoints: sum(({ checkpoints }) => checkpoints),
    durationUs,
    backPressureUs: run.backPressureUs,
    lag: run.lag,
    endToEndUs: joined(({ endToEndUs }) => endToEndUs.values()),
    storeUs: joined(({ storeUs }) => storeUs.values()),
    counts: meter.counts,
  };
}
