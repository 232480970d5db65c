/** The stream processor of a repetition: draws its input once, warms up, and runs one job after the other. */
import { createHash } from 'node:crypto';
import { monotonicClock } from '@topo-bench/core';
import { readOwnPeakRssBytes } from '@topo-bench/host';
import type { WriteBehindHeatMap } from '@topo-bench/stores/hazelcast/write-behind';
import { type HeatMap, openHeatMap } from '@topo-bench/stores/heat-map';
import { pauseOnTimers } from '@topo-bench/streams';
import { reads } from '../../jobs/job-size.ts';
import type { EngineSettings, JobOutcome, JobRequest } from '../job.ts';
import { outcomeOf } from '../outcome.ts';
import { copyTask } from './tasks/copy.ts';
import { generateTask } from './tasks/generate.ts';
import { QueryTask } from './tasks/queries.ts';
import type { Task, TaskRun } from './tasks/task.ts';

export class StreamEngine {
  readonly #settings: EngineSettings;
  readonly #task: Task;

  private constructor(settings: EngineSettings, task: Task) {
    this.#settings = settings;
    this.#task = task;
  }

  static async prepare(settings: EngineSettings, signal: AbortSignal): Promise<StreamEngine> {
    const task = await taskOf(settings, signal);
    await task.warmUp();
    return new StreamEngine(settings, task);
  }

  async run({ database, url, points, ratePerSecond, grid, resume = false }: JobRequest): Promise<JobOutcome> {
    const count = Math.min(points, this.#task.timesMs.length);
    const timesUs =
      ratePerSecond === undefined
        ? undefined
        : Float64Array.from({ length: count }, (_, i) => (i * 1e6) / ratePerSecond);
    const { partitions, windows, timeoutMs } = this.#settings;
    const heatMap = await openHeatMap({ engine: database, url, connections: partitions, timeoutMs });
    const behind = grid && (await openBehind(heatMap, url, grid, timeoutMs));
    const store = behind ?? heatMap;
    try {
      await connect(store, partitions);
      const before = process.cpuUsage();
      const result = await this.#task.run({ heatMap: store, count, timesUs, resume });
      const flushed = behind && (await flush(behind));
      const { user, system } = process.cpuUsage(before);
      return {
        ...outcomeOf(result, { points: count, ratePerSecond, timesMs: this.#task.timesMs, windows }),
        ...(flushed && { grid: flushed }),
        cpuUs: user + system,
        peakRssBytes: readOwnPeakRssBytes(),
      };
    } finally {
      await store.close();
    }
  }

  close(): Promise<void> {
    return this.#task.close();
  }
}

async function taskOf(settings: EngineSettings, signal: AbortSignal): Promise<Task> {
  const waits = { clock: monotonicClock, pause: pauseOnTimers, signal };
  if (reads(settings.job)) return new QueryTask(settings, waits);
  return settings.job === 'copy' ? copyTask(settings, waits) : generateTask(settings, waits);
}

/** @throws StoreUnavailable without an answer of the grid */
async function openBehind(
  heatMap: HeatMap,
  url: string,
  { url: gridUrl, flushMs }: { url: string; flushMs: number },
  timeoutMs: number,
): Promise<WriteBehindHeatMap> {
  const { openWriteBehind } = await import('@topo-bench/stores/hazelcast/write-behind');
  // The connection string may contain a password.
  const name = `topo-bench-${createHash('sha256').update(url).digest('hex').slice(0, 32)}`;
  try {
    return await openWriteBehind({ heatMap, gridUrl, name, flushMs, timeoutMs });
  } catch (error) {
    await heatMap.close();
    throw error;
  }
}

async function flush(behind: WriteBehindHeatMap): Promise<{ unflushed: number; flushUs: number }> {
  const unflushed = behind.unflushedCrossings;
  const startUs = monotonicClock.nowUs();
  await behind.flush();
  return { unflushed, flushUs: monotonicClock.nowUs() - startUs };
}

/** Opens all connections: their set-up is no part of the job. */
async function connect(heatMap: TaskRun['heatMap'], partitions: number): Promise<void> {
  await Promise.all(Array.from({ length: partitions }, (_, partition) => heatMap.checkpoint(partition)));
}
