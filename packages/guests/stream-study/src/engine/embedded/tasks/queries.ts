/** Map queries: each reads the cells of a rectangle from a heat map. */
import { type QueryJob, type QueryResult, runQueries } from '@topo-bench/streams';
import { cellsOfQuery, type MapQueries, randomQueries, realisticQueries } from '@topo-bench/streams/map';
import type { EngineSettings } from '../../job.ts';
import type { Task, TaskRun, Waits } from './task.ts';

const warmUpQueries = 5000;

export class QueryTask implements Task {
  readonly timesMs: Float64Array;
  readonly #settings: EngineSettings;
  readonly #waits: Waits;
  readonly #queries: MapQueries;

  constructor(settings: EngineSettings, waits: Waits) {
    this.#settings = settings;
    this.#waits = waits;
    this.#queries = settings.job === 'random-queries' ? randomQueries(settings) : realisticQueries(settings);
    this.timesMs = this.#queries.timesMs;
  }

  async warmUp(): Promise<void> {
    const count = Math.min(warmUpQueries, this.#queries.count);
    await runQueries(this.#job(count, { readMany: async () => [] }, undefined));
  }

  run({ heatMap, count, timesUs }: TaskRun): Promise<QueryResult> {
    return runQueries(this.#job(count, heatMap, timesUs));
  }

  async close(): Promise<void> {}

  #job(length: number, store: QueryJob['store'], timesUs: Float64Array | undefined): QueryJob {
    const { windows, partitions: reads } = this.#settings;
    const queries = this.#queries;
    const source: QueryJob['source'] = {
      length,
      timeMs: (query) => queries.timesMs[query] as number,
      cells: (query) => cellsOfQuery(queries, query),
    };
    return { source, store, windows, reads, timesUs, ...this.#waits };
  }
}
