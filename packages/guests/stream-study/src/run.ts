/** A run of a stream study: database servers and the oracles of the jobs, kept until the run ends. */

import type { RunEnvironment, StudyRun } from '@topo-bench/measured';
import { heatMapEntries, randomQueries, realisticQueries } from '@topo-bench/streams/map';
import { cyclingTrips } from '@topo-bench/streams/tracks';
import { StudyServers } from '@topo-bench/study-kit/study-servers';
import type { MeasureContext, TestBed } from '@topo-bench/trial';
import { engineNamed } from './engine/engines.ts';
import type { EngineSettings } from './engine/job.ts';
import { firstPoints } from './input/points-file.ts';
import { type PointsOfRun, TracksOfRun } from './input/tracks-of-run.ts';
import { reads } from './jobs/job-size.ts';
import { LoadedHeatMaps } from './loaded-heat-maps.ts';
import { AnswerOracle } from './oracle/answer-oracle.ts';
import { HeatMapOracle } from './oracle/heat-map-oracle.ts';
import type { StreamTrial } from './parts.ts';
import { requireStreams } from './require-streams.ts';
import { checkTransactions } from './require-transactions.ts';
import type { Stream } from './settings-schema.ts';
import { sourceEngine, sourceOf } from './source-of-copy.ts';
import { type StreamOracle, StreamTestBed } from './test-bed.ts';

export class StreamRun implements StudyRun {
  readonly #environment: RunEnvironment;
  readonly #servers: StudyServers;
  readonly #loaded = new LoadedHeatMaps();
  readonly #tracks = new TracksOfRun();
  /** Warnings at the end of the run go where those of the last cell went. */
  #onWarning: MeasureContext['onWarning'];
  #oracle: { key: string; oracle: StreamOracle } | undefined;

  constructor(environment: RunEnvironment) {
    this.#environment = environment;
    this.#servers = new StudyServers(environment);
  }

  async require(cells: readonly StreamTrial[], signal: AbortSignal): Promise<void> {
    await requireStreams(cells, this.#environment, signal);
  }

  async open(cell: StreamTrial, { signal, onPhase, onWarning }: MeasureContext): Promise<TestBed> {
    this.#onWarning = onWarning;
    const { settings } = cell;
    const stream = settings.stream as Stream;
    const { database: engine, url, image, entries, job } = stream;
    const recorded = await this.#tracks.of(cell);
    onPhase('deploy', engine);
    const server = await this.#servers.of({ engine, url, image }, signal);
    if (!reads(job)) await checkTransactions(stream, server.url);
    const existing = { entries, seed: settings.seed, timeoutMs: stream.timeout / 1e3 };
    const queried = reads(job) ? await this.#loaded.of(server, { engine, ...existing }, signal) : undefined;
    const engineSetting = engineSettings(stream, settings.seed, recorded);
    const processor = await engineNamed(stream.engine);
    const common = {
      server,
      open: () => processor.open(this.#environment),
      oracle: () => this.#oracleOf(engineSetting, recorded),
    };
    if (job !== 'copy') return new StreamTestBed({ ...common, settings: engineSetting, existing: queried });
    const source = await this.#servers.of(sourceOf(stream), signal);
    const from: EngineSettings['source'] = {
      engine: sourceEngine,
      url: await this.#loaded.of(source, { engine: sourceEngine, ...existing }, signal),
    };
    return new StreamTestBed({ ...common, source, settings: { ...engineSetting, source: from } });
  }

  async close(): Promise<void> {
    // Servers of topo-bench end with their data; heat maps on others are removed.
    try {
      const left = await this.#loaded.remove();
      if (left.length > 0) this.#onWarning?.(`heat maps are left on the server: ${left.join('; ')}`);
    } finally {
      await Promise.all([this.#servers.close(), this.#tracks.close()]);
    }
  }

  /** Cells in turn often differ in the windows or the database alone; the input of one setting is kept. */
  #oracleOf(
    { job, seed, points, entries, queries, cellLength, windows }: EngineSettings,
    recorded: PointsOfRun | undefined,
  ): StreamOracle {
    const key = JSON.stringify([job, seed, points, entries, queries, cellLength, windows]);
    if (this.#oracle?.key === key) return this.#oracle.oracle;
    const oracle = oracleOf();
    this.#oracle = { key, oracle };
    return oracle;

    function oracleOf(): StreamOracle {
      if (job === 'generate') {
        const input = recorded ? firstPoints(recorded.all, points) : cyclingTrips({ points, seed });
        return HeatMapOracle.ofPoints(input, cellLength, windows);
      }
      const existing = heatMapEntries({ count: entries, seed });
      if (job === 'copy') return HeatMapOracle.ofEntries(existing, windows);
      const law = job === 'random-queries' ? randomQueries : realisticQueries;
      return new AnswerOracle(existing, law({ queries, entries, seed }), windows);
    }
  }
}

function engineSettings(stream: Stream, seed: number, recorded: PointsOfRun | undefined): EngineSettings {
  const { job, points, entries, queries, cellLength, windows, outOfOrder } = stream;
  const { guarantee, partitions, rowsPerWrite, checkpointEvery, timeout } = stream;
  return {
    job,
    seed,
    points,
    ...(recorded && { pointsFile: recorded.file }),
    entries,
    queries,
    cellLength,
    ...(windows !== 'none' && { windows: { lengthMs: windows / 1e3, outOfOrderMs: outOfOrder / 1e3 } }),
    guarantee,
    partitions,
    rowsPerWrite,
    checkpointEveryMs: checkpointEvery / 1e3,
    timeoutMs: timeout / 1e3,
  };
}
