/** The port of sources: events by position, read again from a checkpoint's position after a crash. */
import type { EventBatch } from './event-batch.ts';

export interface EventSource {
  /** Number of events. */
  readonly length: number;
  /**
   * Fetches the event at `position`, and further ones if they come with it. Absent where all events are in memory.
   * @returns how many of `count` events from `position` can be read now; at least 1
   */
  load?(position: number, count: number): Promise<number>;
  /**
   * Maps the events from `position` to keys, values and event times, into the first `count` places of the batch.
   * Repeated calls give the same events.
   */
  read(position: number, count: number, batch: EventBatch): void;
}
