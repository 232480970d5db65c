/** A run of a stream study: database servers and the oracles of the jobs, kept until the run ends. */
import { TopoBenchError } from '@topo-bench/core';
import type { Stream } from '@topo-bench/core/schema/stream';
import type { ExperimentCell, MeasureContext, RunEnvironment, StudyRun, TestBed } from '@topo-bench/experiment';
import { requireServer } from '@topo-bench/stores/servers/start-server';
import { cyclingTrips } from '@topo-bench/workload';
import { heatMapEntries, randomQueries, realisticQueries } from '@topo-bench/workload/map';
import { type StudyServerFields, StudyServers } from '../study-servers.ts';
import { engineNamed } from './engine/engines.ts';
import type { EngineSettings } from './engine/job.ts';
import { firstPoints } from './input/points-file.ts';
import { type PointsOfRun, TracksOfRun } from './input/tracks-of-run.ts';
import { reads } from './jobs/job-size.ts';
import { LoadedHeatMaps } from './loaded-heat-maps.ts';
import { AnswerOracle } from './oracle/answer-oracle.ts';
import { HeatMapOracle } from './oracle/heat-map-oracle.ts';
import { requireGrid } from './require-grid.ts';
import { checkTransactions, requireFitImage, requireTransactions } from './require-transactions.ts';
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

  /** Lists all that is missing or unfit; the hint has the choices that leave it out. */
  async require(cells: readonly ExperimentCell[], signal: AbortSignal): Promise<void> {
    const flags = this.#environment.serverUrls;
    const missing = new Map<string, TopoBenchError>();
    const found = async (name: string, check: () => Promise<void>): Promise<void> =>
      check().catch((error: unknown) => {
        if (!(error instanceof TopoBenchError)) throw error;
        missing.set(name, error);
      });
    for (const stream of serversOf(cells)) {
      const { database, url, image } = stream;
      await found(database, async () => {
        requireFitImage(stream, flags);
        await requireServer({ engine: database, url, image, flags, signal });
        await requireTransactions(stream, flags);
      });
    }
    const grids = new Map(cells.map(({ settings }) => [settings.stream?.grid, settings.stream as Stream]));
    for (const [grid = 'none', stream] of grids) await found(grid, () => requireGrid(stream));
    signal.throwIfAborted();
    await this.#requireEngines(cells);
    const [first] = missing.values();
    if (!first) return;
    const hints = [...missing.values()].flatMap(({ hint }) => hint?.replaceAll('`persistence`', '`stream`') ?? []);
    const databases = cells.map(({ levels }) => String(levels.database));
    const only = [...onlyFound('database', databases, missing), ...onlyFound('grid', [...grids.keys()], missing)];
    const leaveOut = only.length > 0 ? [`or leave it out with ${only.join(' ')}`] : [];
    const message = [...missing].map(([name, error]) => `${name}: ${error.message}`).join('\n');
    throw new TopoBenchError(first.code, message, { hint: [...hints, ...leaveOut].join('; '), cause: first });
  }

  async #requireEngines(cells: readonly ExperimentCell[]): Promise<void> {
    const streams = cells.map(({ settings }) => settings.stream as Stream);
    for (const name of new Set(streams.map(({ engine }) => engine))) {
      const own = streams.filter(({ engine }) => engine === name);
      await (await engineNamed(name)).require(own, this.#environment);
    }
  }

  async open(cell: ExperimentCell, { signal, onPhase, onWarning }: MeasureContext): Promise<TestBed> {
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
    return new StreamTestBed({ ...common, settings: { ...engineSetting, source: from } });
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

/** @returns the choice of the levels that are not missing, if some are and others are not */
function onlyFound(
  factor: string,
  levels: readonly (string | undefined)[],
  missing: ReadonlyMap<string, unknown>,
): string[] {
  const all = [...new Set(levels.filter((level) => level !== undefined))];
  const left = all.filter((level) => !missing.has(level));
  return left.length === 0 || left.length === all.length ? [] : [`--only ${factor}=${left.join(',')}`];
}

/** The engine that copies read from. */
const sourceEngine = 'postgresql' as const;

/** The server that a copy reads from: that of the target, if it is the same engine. */
function sourceOf({ database, url, image }: Stream): StudyServerFields {
  return database === sourceEngine ? { engine: sourceEngine, url, image } : { engine: sourceEngine };
}

/** Settings for each server of the cells. A copy needs that of its source too. */
function serversOf(cells: readonly ExperimentCell[]): Stream[] {
  const found = new Map<string, Stream>();
  for (const { settings } of cells) {
    const stream = settings.stream as Stream;
    const own = { ...stream, ...(reads(stream.job) && { guarantee: 'at-least-once' as const }) };
    const source = { ...own, database: sourceEngine, url: undefined, image: undefined } as const;
    for (const one of stream.job === 'copy' && stream.database !== sourceEngine ? [own, source] : [own]) {
      found.set(JSON.stringify([one.database, one.url, one.image, one.guarantee]), one);
    }
  }
  return [...found.values()];
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
