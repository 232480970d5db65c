/** Apache Flink as an engine: jobs are submitted to a user-supplied cluster, and their jar is deleted. */
import type { FlinkCluster } from '@topo-bench/streams/flink';
import type { GpsPoints } from '@topo-bench/streams/tracks';
import { jobPoints } from '../../input/job-points.ts';
import type { Engine, EngineModule } from '../engine.ts';
import type { EngineSettings, JobOutcome, JobRequest } from '../job.ts';
import { outcomeOf } from '../outcome.ts';
import { flinkUrlOf, requireFlink } from './require-flink.ts';

export const module: EngineModule = {
  require: requireFlink,
  open: (environment) => new FlinkEngine(flinkUrlOf(environment)),
};

export class FlinkEngine implements Engine {
  readonly #url: string;
  #cluster: FlinkCluster | undefined;
  #settings: EngineSettings | undefined;
  #points: GpsPoints | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async prepare(settings: EngineSettings): Promise<void> {
    const { FlinkCluster } = await import('@topo-bench/streams/flink');
    this.#settings = settings;
    this.#points = await jobPoints(settings);
    this.#cluster = new FlinkCluster(this.#url);
  }

  async run({ database, url, points, ratePerSecond }: JobRequest): Promise<JobOutcome> {
    const [cluster, all, settings] = [this.#cluster, this.#points, this.#settings];
    if (!cluster || !all || !settings) throw new Error('the engine has not been prepared');
    const { windows, cellLength, guarantee, partitions, rowsPerWrite, checkpointEveryMs } = settings;
    const count = Math.min(points, all.count);
    const result = await cluster.run(all, {
      database,
      heatMapUrl: url,
      points: count,
      ratePerSecond,
      cellLength,
      windows,
      guarantee,
      partitions,
      rowsPerWrite,
      checkpointEveryMs,
    });
    const { cpuUs, peakRssBytes, flink } = result;
    const input = { points: count, ratePerSecond, timesMs: all.timesMs, windows };
    return { ...outcomeOf(result, input), flink, cpuUs, peakRssBytes };
  }

  async stop(): Promise<void> {
    await this.#cluster?.close();
  }
}
