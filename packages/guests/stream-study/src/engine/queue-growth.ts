/**
 * Whether a database keeps up with a paced source. If it is too slow, the buffers fill first, and the source falls
 * behind its schedule only when they are full. So there are two signs: the source falls behind, or rows are left in the
 * buffers at the end of the schedule.
 */
import { median } from '@topo-bench/stats';
import type { SourceLag, TumblingWindows } from '@topo-bench/streams';

/** Above this, a queue grows. At 5% above the capacity, it grows by 48 ms in each second. */
const maxShare = 0.05;

/** Absent for a job at full speed. */
export interface QueueFigures {
  queueGrowth?: number | undefined;
  backlog?: number | undefined;
}

/** The larger of both, as a share of time. */
export function queueOf({ queueGrowth = 0, backlog = 0 }: QueueFigures): number {
  return Math.max(queueGrowth, backlog);
}

export function keepsUp(job: QueueFigures): boolean {
  return queueOf(job) <= maxShare;
}

/** Points at which the lag is read, in each third. */
const readings = 100;

/**
 * By how much the source falls behind in each second. Medians over the middle and the last third of the points are
 * compared: the first third fills the buffers, and one stall of the machine is no growth.
 * @param points of the job
 * @param spanUs length of the schedule
 * @returns seconds for each second; negative where the source catches up
 */
export function queueGrowth(lag: Pick<SourceLag, 'at'>, points: number, spanUs: number): number {
  const third = (which: number): number =>
    median(lag.at(Array.from({ length: readings }, (_, i) => Math.floor((points * (which + i / readings)) / 3))));
  // The middles of both thirds are a third of the span apart.
  return (third(2) - third(1)) / (spanUs / 3);
}

/**
 * How long the database still took rows after the end of the schedule, as a share of the schedule. One that keeps up
 * needs a write for what arrived last, and the time of the rows that waited for the end of their windows.
 * @param writeUs median of the writes: of a database that falls behind, the last ones are long
 * @param windowsUs time of the schedule for the points in windows that are open at its end
 */
export function backlogOf(job: { durationUs: number; spanUs: number; writeUs: number; windowsUs: number }): number {
  const { durationUs, spanUs, writeUs, windowsUs } = job;
  return Math.max(0, durationUs - spanUs - writeUs - windowsUs) / spanUs;
}

/** @returns the number of the first `points` that are in windows which no watermark has completed yet */
export function pointsInOpenWindows(timesMs: Float64Array, points: number, windows?: TumblingWindows): number {
  if (!windows) return 0;
  const { lengthMs, outOfOrderMs } = windows;
  const seen = timesMs.subarray(0, points);
  const watermarkMs = seen.reduce((latest, timeMs) => Math.max(latest, timeMs), 0) - outOfOrderMs;
  const isOpen = (timeMs: number): boolean => (Math.floor(timeMs / lengthMs) + 1) * lengthMs > watermarkMs;
  return seen.reduce((count, timeMs) => count + Number(isOpen(timeMs)), 0);
}
