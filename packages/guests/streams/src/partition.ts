/**
 * One partition of the keys: its windows, the rows that it collects, and the write in flight. The two buffers of rows
 * are its bounded queue: one is filled while the store takes the other.
 */
import type { StreamCheckpoint } from '@topo-bench/stores/heat-map';
import { GrowingColumn } from './growing-column.ts';
import { KeyedSums } from './keyed-sums.ts';
import type { Meter } from './meter.ts';
import { emptyState, encodeState, type PartitionState } from './partition-state.ts';
import type { StreamJob } from './stream-job.ts';

export class Partition {
  /** Position of the source up to which the state includes the events. */
  position = 0;
  /** From the claim of this partition. */
  owner: number | undefined;
  state: PartitionState = emptyState();
  rows = 0;
  writes = 0;
  checkpoints = 0;
  readonly endToEndUs = new GrowingColumn();
  readonly storeUs = new GrowingColumn();
  /** Memory of windows that are complete, for the next ones. */
  private readonly spare: KeyedSums[] = [];
  private collected = new KeyedSums();
  private inWriting = new KeyedSums();
  /** Present while the store has not acknowledged the last write. */
  private writing: Promise<void> | undefined;
  private failure: { error: unknown } | undefined;

  constructor(
    private readonly index: number,
    private readonly job: StreamJob,
    private readonly meter: Meter,
  ) {}

  get isWriting(): boolean {
    return this.writing !== undefined;
  }

  get isFull(): boolean {
    return this.collected.count >= this.job.rowsPerWrite;
  }

  get hasRows(): boolean {
    return this.collected.count > 0;
  }

  /** @param windowMs start of the event's window, or undefined without windows */
  add(windowMs: number | undefined, key: number, value: number, timeMs: number, createdUs: number): void {
    this.sumsOf(windowMs).add(key, value, timeMs, createdUs);
  }

  /** Collects the rows of windows that end at or before the watermark, in the order of time. @returns their number */
  fire(watermarkMs: number): number {
    const { windows } = this.state;
    const lengthMs = this.job.windows?.lengthMs ?? 0;
    const complete = [...windows.keys()].filter((startMs) => startMs + lengthMs <= watermarkMs).sort((a, b) => a - b);
    let rows = 0;
    for (const startMs of complete) {
      const sums = windows.get(startMs) as KeyedSums;
      this.collected.addAll(sums);
      rows += sums.count;
      windows.delete(startMs);
      sums.clear();
      this.spare.push(sums);
    }
    return rows;
  }

  /** Starts a write of the collected rows, and of the checkpoint that belongs to them. No write may be in flight. */
  startWrite(isLast: boolean): void {
    // A checkpoint after a failed write would include rows that the store does not have.
    if (this.failure) throw this.failure.error;
    [this.collected, this.inWriting] = [this.inWriting, this.collected];
    this.collected.clear();
    const checkpoint = this.isCheckpointDue(isLast) ? this.snapshot() : undefined;
    this.writing = this.write(this.inWriting, checkpoint)
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.writing = undefined;
      });
  }

  /** Waits for the write in flight. @throws the store's error */
  async written(): Promise<void> {
    await this.writing;
    if (this.failure) throw this.failure.error;
  }

  /** Waits for the write in flight, also when it fails. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private sumsOf(windowMs: number | undefined): KeyedSums {
    if (windowMs === undefined) return this.collected;
    const { windows } = this.state;
    const existing = windows.get(windowMs);
    if (existing) return existing;
    const sums = this.spare.pop() ?? new KeyedSums();
    windows.set(windowMs, sums);
    return sums;
  }

  private isCheckpointDue(isLast: boolean): boolean {
    const { guarantee, writesPerCheckpoint = 10 } = this.job;
    return isLast || guarantee === 'exactly-once' || (this.writes + 1) % writesPerCheckpoint === 0;
  }

  private snapshot(): StreamCheckpoint {
    return { partition: this.index, position: this.position, state: encodeState(this.state), owner: this.owner };
  }

  private async write(sums: KeyedSums, checkpoint: StreamCheckpoint | undefined): Promise<void> {
    const { sink, clock, guarantee } = this.job;
    const rows = { count: sums.count, cells: sums.keys, crossings: sums.sums, timesMs: sums.timesMs };
    const startUs = clock.nowUs();
    const isTogether = guarantee === 'exactly-once';
    await sink.add(rows, isTogether ? checkpoint : undefined);
    const endUs = clock.nowUs();
    for (let row = 0; row < sums.count; row++) this.endToEndUs.push(endUs - (sums.createdUs[row] as number));
    this.storeUs.push(endUs - startUs);
    this.meter.count('sink', sums.count, endUs);
    this.rows += sums.count;
    this.writes++;
    if (!checkpoint) return;
    // All earlier rows of the partition are in the store by now.
    if (!isTogether) await sink.saveCheckpoint(checkpoint);
    this.checkpoints++;
  }
}
