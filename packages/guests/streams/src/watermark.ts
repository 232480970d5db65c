/**
 * Event time of a stream: the latest event time so far, minus the time that events may arrive out of order. A window is
 * complete when the watermark reaches its end; events that arrive afterwards are late. The watermark moves with each
 * event, so that lateness depends on the order of events alone and not on the size of batches.
 */
export interface TumblingWindows {
  /** Length in ms of event time. */
  lengthMs: number;
  /** How far events may be behind the latest one without being late, in ms. */
  outOfOrderMs: number;
}

export class Watermark {
  constructor(
    private readonly windows: TumblingWindows,
    /** Latest event time in ms. */
    public latestMs: number,
  ) {}

  get timeMs(): number {
    return this.latestMs - this.windows.outOfOrderMs;
  }

  /** @returns the start of the event's window in ms, or NaN for a late event */
  windowOf(eventMs: number): number {
    const { lengthMs } = this.windows;
    const startMs = Math.floor(eventMs / lengthMs) * lengthMs;
    const isLate = startMs + lengthMs <= this.timeMs;
    if (eventMs > this.latestMs) this.latestMs = eventMs;
    return isLate ? Number.NaN : startMs;
  }
}
