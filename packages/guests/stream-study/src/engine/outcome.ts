/** The outcome of a job from the result of the processor, with the figures of its queue if it was paced. */
import { summarise } from '@topo-bench/stats';
import type { QueryResult, StreamResult, TumblingWindows } from '@topo-bench/streams';
import type { JobOutcome } from './job.ts';
import { backlogOf, pointsInOpenWindows, queueGrowth } from './queue-growth.ts';

export interface JobInput {
  points: number;
  /** Undefined at full speed. */
  ratePerSecond: number | undefined;
  /** Event times; the first `points` are those of the job. */
  timesMs: Float64Array;
  windows: TumblingWindows | undefined;
}

export function outcomeOf(
  result: StreamResult & Pick<Partial<QueryResult>, 'answers'>,
  input: JobInput,
): Omit<JobOutcome, 'cpuUs' | 'peakRssBytes'> {
  const { events, answers, durationUs, rows, writes, late, backPressureUs, endToEndUs, storeUs, counts } = result;
  const { points, ratePerSecond } = input;
  const storeAccess = summarise(storeUs);
  return {
    points,
    events,
    ...(ratePerSecond !== undefined && {
      ratePerSecond,
      ...queueFigures(result, input, ratePerSecond, storeAccess.medianUs),
    }),
    durationUs,
    pointsPerSecond: (points * 1e6) / durationUs,
    rows,
    writes,
    late,
    backPressureUs,
    endToEnd: summarise(endToEndUs),
    storeAccess,
    counts,
    // IPC carries no classes.
    ...(answers && { answers: { counts: answers.counts, sums: answers.sums } }),
  };
}

function queueFigures(
  { durationUs, lag }: StreamResult,
  { points, timesMs, windows }: JobInput,
  ratePerSecond: number,
  writeUs: number,
): { queueGrowth: number; backlog: number } {
  const spanOf = (count: number): number => (count / ratePerSecond) * 1e6;
  const windowsUs = spanOf(pointsInOpenWindows(timesMs, points, windows));
  const spanUs = spanOf(points);
  const backlog = backlogOf({ durationUs, spanUs, writeUs, windowsUs });
  return { queueGrowth: queueGrowth(lag, points, spanUs), backlog };
}
