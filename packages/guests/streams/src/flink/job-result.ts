/**
 * The result of a job from the answers of Flink's REST interface. Operators report what happens to each row as
 * accumulators; records, checkpoints and back-pressure are Flink's own metrics.
 */
import { TopoBenchError } from '@topo-bench/core';
import { meterIntervalUs, type Operator, operators } from '../meter.ts';
import { SourceLag } from '../source-lag.ts';
import type { StreamResult } from '../stream-job.ts';

/** Parts of the answers; a metric that Flink does not know is the text `NaN`. */
export interface JobAnswers {
  version: string;
  job: {
    /** `FINISHED` when the figures are those of the end. */
    state: string;
    vertices: { name: string; parallelism: number; metrics: Record<string, number | string | boolean> }[];
  };
  checkpoints: {
    counts: { completed: number; failed: number };
    summary?: { end_to_end_duration?: { avg: number; max: number } };
  };
  accumulators: { 'user-task-accumulators': { name: string; value: string }[] };
}

/** A chain of operators, which runs in one thread for each of its instances. */
export interface FlinkTask {
  name: string;
  parallelism: number;
  /** Records from the task before; of a source: records to the next one. */
  records: number;
  recordsPerSecond: number;
  /** Time that it worked, and that it waited for the next task, over all instances; undefined if Flink has none. */
  busyUs?: number;
  backPressureUs?: number;
}

export interface FlinkFigures {
  version: string;
  /** Attempts after the first one. */
  restarts: number;
  checkpoints: { completed: number; failed: number; meanUs: number; maxUs: number };
  tasks: FlinkTask[];
}

/** Figures of the processes that ran operators. */
export interface ProcessUse {
  cpuUs: number;
  peakRssBytes: number;
}

/** @throws TopoBenchError `TB_STREAM_ENGINE` for a job that wrote nothing, or whose figures are not those of its end */
export function resultOf(
  answers: JobAnswers,
  job: { points: number; ratePerSecond: number | undefined },
): StreamResult & ProcessUse & { flink: FlinkFigures } {
  const values = new Map(answers.accumulators['user-task-accumulators'].map(({ name, value }) => [name, value]));
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const tally = (name: string): Map<number, number> => tallyOf(values.get(name) ?? '{}');
  const [startUs, endUs] = [number('startUs'), number('endUs')];
  if (!(endUs > startUs && startUs > 0)) {
    throw new TopoBenchError('TB_STREAM_ENGINE', 'the job on Flink has ended without a row');
  }
  const [events, restarts] = [number('events'), number('attempt')];
  // A restarted job continues from a checkpoint.
  if (restarts === 0 && events !== job.points) {
    throw new TopoBenchError('TB_STREAM_ENGINE', `points of the job on Flink: got ${events}, expected ${job.points}`, {
      hint: 'see the log of its JobManager',
    });
  }
  const durationUs = endUs - startUs;
  const tasks = answers.job.vertices.map((vertex) => taskOf(vertex, durationUs));
  const { counts, summary } = answers.checkpoints;
  const lag = new SourceLag();
  if (job.ratePerSecond !== undefined) for (const [position, lagUs] of tally('lag')) lag.add(position, lagUs);
  return {
    events,
    late: number('late'),
    rows: number('rows'),
    writes: number('writes'),
    checkpoints: counts.completed,
    durationUs,
    backPressureUs: tasks[0]?.backPressureUs ?? 0,
    lag,
    endToEndUs: timesOf(tally('endToEnd')),
    storeUs: timesOf(tally('storeAccess')),
    counts: Object.fromEntries(operators.map((name) => [name, tenths(tally(name), startUs)])) as Record<
      Operator,
      number[]
    >,
    ...useOf(values),
    flink: {
      version: answers.version,
      restarts,
      checkpoints: {
        completed: counts.completed,
        failed: counts.failed,
        meanUs: (summary?.end_to_end_duration?.avg ?? 0) * 1e3,
        maxUs: (summary?.end_to_end_duration?.max ?? 0) * 1e3,
      },
      tasks,
    },
  };
}

/** @param text of a map in Java: `{1=3, 2=5}` @returns in ascending order of the keys */
function tallyOf(text: string): Map<number, number> {
  const pairs = [...text.matchAll(/(-?\d+)=(-?\d+)/g)].map(([, key, sum]) => [Number(key), Number(sum)] as const);
  return new Map(pairs.sort(([one], [other]) => one - other));
}

/** Buckets of the job's class `Tally`: 128 to each power of two. */
const perPower = 128;

/** @returns the middle of its bucket for each time, in µs */
function timesOf(buckets: ReadonlyMap<number, number>): Float64Array {
  let total = 0;
  for (const count of buckets.values()) total += count;
  const times = new Float64Array(total);
  let at = 0;
  for (const [bucket, count] of buckets) {
    const shift = Math.max(0, Math.floor(bucket / perPower) - 1);
    const width = 2 ** shift;
    times.fill((bucket - shift * perPower) * width + (width - 1) / 2, at, at + count);
    at += count;
  }
  return times;
}

/** @param counts by tenth of a second since 1970 @returns counts by tenth since the start */
function tenths(counts: ReadonlyMap<number, number>, startUs: number): number[] {
  const first = Math.floor(startUs / meterIntervalUs);
  const intervals: number[] = [];
  for (const [tenth, count] of counts) {
    const at = Math.max(0, tenth - first);
    while (intervals.length <= at) intervals.push(0);
    intervals[at] = (intervals[at] as number) + count;
  }
  return intervals;
}

function taskOf({ name, parallelism, metrics }: JobAnswers['job']['vertices'][number], durationUs: number): FlinkTask {
  const number = (key: string): number | undefined =>
    Number.isFinite(Number(metrics[key])) ? Number(metrics[key]) : undefined;
  const records = number('read-records') || number('write-records') || 0;
  const [busyMs, backPressureMs] = [number('accumulated-busy-time'), number('accumulated-backpressured-time')];
  return {
    name,
    parallelism,
    records,
    recordsPerSecond: (records * 1e6) / durationUs,
    ...(busyMs !== undefined && { busyUs: busyMs * 1e3 }),
    ...(backPressureMs !== undefined && { backPressureUs: backPressureMs * 1e3 }),
  };
}

/** Several operators run in one process, whose CPU time counts once: from the earliest start to the latest end. */
function useOf(values: ReadonlyMap<string, string>): ProcessUse {
  const processes = new Map<string, { startUs: number; endUs: number; bytes: number }>();
  for (const [name, text] of values) {
    const [figure, process] = name.split(':');
    if (process === undefined) continue;
    const use = processes.get(process) ?? { startUs: Number.POSITIVE_INFINITY, endUs: 0, bytes: 0 };
    const value = Number(text);
    if (figure === 'cpuStartUs') use.startUs = Math.min(use.startUs, value);
    if (figure === 'cpuEndUs') use.endUs = Math.max(use.endUs, value);
    if (figure === 'memoryBytes') use.bytes = Math.max(use.bytes, value);
    processes.set(process, use);
  }
  const all = [...processes.values()];
  return {
    cpuUs: all.reduce((sum, { startUs, endUs }) => sum + Math.max(0, endUs - startUs), 0),
    peakRssBytes: all.reduce((sum, { bytes }) => sum + Math.max(0, bytes), 0),
  };
}
