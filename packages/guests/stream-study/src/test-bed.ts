/**
 * The jobs of a repetition, on a new stream processor: a warm-up, the input at full speed, the search for the sustained
 * throughput, and the paced job for latencies. Each leaves a heat map or answers, which are checked at the end.
 */
import { formatUs, TopoBenchError } from '@topo-bench/core';
import { LoadWatch } from '@topo-bench/loadgen';
import type { StudyServer } from '@topo-bench/study-kit/study-servers';
import { withinLimit } from '@topo-bench/study-kit/time-limit';
import type { MeasureContext, MeasuredRepetition, TestBed } from '@topo-bench/trial';
import { assembleStreamCell, streamSample } from './cell.ts';
import type { Engine } from './engine/engine.ts';
import type { EngineSettings, JobOutcome } from './engine/job.ts';
import { HeatMaps } from './heat-maps.ts';
import { rateOf, reads, sizeOf } from './jobs/job-size.ts';
import type { JobCheck } from './measurement.ts';
import { AnswerOracle } from './oracle/answer-oracle.ts';
import { compareHeatMaps } from './oracle/compare-heat-maps.ts';
import type { HeatMapOracle } from './oracle/heat-map-oracle.ts';
import type { StreamTrial } from './parts.ts';
import { type RecoveredJob, recoveredJob } from './recovery.ts';
import { gridUrlOf } from './require-grid.ts';
import type { Stream } from './settings-schema.ts';
import { searchSustained } from './sustained-search.ts';

const warmUpPoints = 20_000;
const warmUpQueries = 500;

/** What the jobs of a repetition must produce. */
export type StreamOracle = HeatMapOracle | AnswerOracle;

/** A job that has ended, and the heat map that it filled. */
interface EndedJob {
  outcome: JobOutcome;
  url: string;
}

export interface StreamTestBedOptions {
  server: StudyServer;
  /** The server that a copy reads from. */
  source?: StudyServer;
  settings: EngineSettings;
  /** A new stream processor. */
  open(): Engine;
  oracle(): StreamOracle;
  /** Connection string of the heat map to query, of jobs that read. */
  existing?: string | undefined;
}

export class StreamTestBed implements TestBed {
  readonly #server: StudyServer;
  readonly #source: StudyServer | undefined;
  readonly #settings: EngineSettings;
  readonly #oracle: () => StreamOracle;
  readonly #existing: string | undefined;
  readonly #open: () => Engine;
  #engine: Engine | undefined;

  constructor({ server, source, settings, open, oracle, existing }: StreamTestBedOptions) {
    this.#server = server;
    this.#source = source;
    this.#open = open;
    this.#settings = settings;
    this.#oracle = oracle;
    this.#existing = existing;
  }

  /** Every repetition has a stream processor of its own. */
  async recover(): Promise<boolean> {
    return false;
  }

  async measure(
    cell: StreamTrial,
    repetition: number,
    { signal, onPhase, onWarning }: MeasureContext,
  ): Promise<MeasuredRepetition> {
    const stream = cell.settings.stream as Stream;
    const engine = this.#open();
    this.#engine = engine;
    const server = this.#server;
    const watch = new LoadWatch({
      groups: async () => server.usage(),
      ...(this.#knowsAllProcesses(stream) && { detachedCpuUs: async () => 0 }),
    });
    const heatMaps = new HeatMaps({ engine: stream.database, url: server.url });
    const create = async (): Promise<string> => {
      signal.throwIfAborted();
      return this.#existing ?? heatMaps.create();
    };
    const size = sizeOf(stream);
    const rate = rateOf(stream);
    const runOn = async (url: string, points: number, ratePerSecond?: number): Promise<EndedJob> => {
      const gridUrl = gridUrlOf(stream);
      const grid = gridUrl === undefined ? undefined : { url: gridUrl, flushMs: stream.flushEvery / 1e3 };
      const request = {
        database: stream.database,
        url,
        points,
        ...(grid && { grid }),
      };
      const job = engine.run({ ...request, ...(ratePerSecond !== undefined && { ratePerSecond }) });
      return { outcome: await limited(job, stream, signal), url };
    };
    const run = async (points: number, ratePerSecond?: number): Promise<EndedJob> =>
      runOn(await create(), points, ratePerSecond);
    try {
      onPhase('warm-up');
      await limited(engine.prepare(this.#settings), stream, signal);
      await run(reads(stream.job) ? warmUpQueries : warmUpPoints);
      onPhase('load');
      const startedAt = new Date();
      watch.begin();
      // Its creation is no work of the job.
      const url = await create();
      const before = { use: server.usage().store, written: server.writtenBytes() };
      const fullSpeed = await runOn(url, size);
      const after = { use: server.usage().store, written: server.writtenBytes() };
      const { trials, sustainedPerSecond } = await searchJobs(stream, fullSpeed.outcome, run);
      const paced = await run(pointsFor(rate, stream.latencyFor, size), rate);
      watch.end();
      const recovery = await this.#recover(stream, create, signal);
      onPhase('check');
      const checked = await this.#check(heatMaps, [fullSpeed, ...trials, paced], signal);
      const recovered = recovery && (await this.#checkRecovery(heatMaps, recovery));
      const { host } = await watch.watchings();
      const entry = assembleStreamCell({
        cell,
        repetition,
        startedAt,
        database: await server.identity(),
        address: server.address,
        fullSpeed: fullSpeed.outcome,
        trials: trials.map(({ outcome }) => outcome),
        sustainedPerSecond,
        paced: paced.outcome,
        ...checked,
        host,
        recovered,
        writtenBytes:
          before.written === undefined || after.written === undefined ? undefined : after.written - before.written,
        server: before.use && after.use && { cpuUs: after.use.cpuUs - before.use.cpuUs, rssBytes: after.use.rssBytes },
      });
      return { entry, samples: [streamSample(fullSpeed.outcome.durationUs)], requests: [], spans: [] };
    } catch (error) {
      // Stopped again below, where what is left is named.
      await engine.stop().catch(() => {});
      throw signal.aborted ? signal.reason : server.failure(error);
    } finally {
      watch.end();
      onPhase('tear-down');
      await engine.stop().catch(({ message }: Error) => onWarning?.(message));
      this.#engine = undefined;
      // Without its server, nothing is left to remove.
      const left = server.death ? [] : await heatMaps.remove();
      if (left.length > 0) onWarning?.(`heat maps are left on the server: ${left.join('; ')}`);
    }
  }

  async close(): Promise<void> {
    await this.#engine?.stop();
  }

  /** The load of servers, grids and engines that topo-bench did not start cannot be distinguished from foreign load. */
  #knowsAllProcesses(stream: Stream): boolean {
    return (
      stream.engine === 'embedded' &&
      gridUrlOf(stream) === undefined &&
      [this.#server, this.#source].every((server) => server?.address === undefined && server?.container === undefined)
    );
  }

  async #recover(
    stream: Stream,
    create: () => Promise<string>,
    signal: AbortSignal,
  ): Promise<(RecoveredJob & { url: string }) | undefined> {
    const { killAfter, database } = stream;
    if (killAfter === undefined || reads(stream.job)) return undefined;
    const url = await create();
    const ratePerSecond = rateOf(stream);
    const points = pointsFor(ratePerSecond, 2 * killAfter, sizeOf(stream));
    const request = { database, url, points, ratePerSecond };
    const job = await recoveredJob(this.#settings, request, killAfter, (step) => limited(step, stream, signal));
    return { ...job, url };
  }

  async #checkRecovery(
    heatMaps: HeatMaps,
    { url, outcome, ...figures }: RecoveredJob & { url: string },
  ): Promise<Omit<RecoveredJob, 'outcome'> & { check: JobCheck }> {
    const { entries } = await heatMaps.read(url);
    const expected = (this.#oracle() as HeatMapOracle).expected(outcome.points);
    return { ...figures, check: { heatMaps: 1, answers: 0, ...compareHeatMaps(expected, entries, outcome.late) } };
  }

  async #check(
    heatMaps: HeatMaps,
    jobs: readonly EndedJob[],
    signal: AbortSignal,
  ): Promise<{ checks: JobCheck[]; storageBytes: number }> {
    const oracle = this.#oracle();
    const checks: JobCheck[] = [];
    let first: number | undefined;
    if (this.#existing !== undefined) first = await heatMaps.storageBytes(this.#existing);
    for (const { outcome, url } of jobs) {
      signal.throwIfAborted();
      const { points, late, answers } = outcome;
      if (oracle instanceof AnswerOracle) {
        if (!answers) throw new Error('a job that reads has no answers');
        checks.push({ heatMaps: 0, ...oracle.check(points, answers, late) });
        continue;
      }
      const { entries, storageBytes } = await heatMaps.read(url);
      checks.push({ heatMaps: 1, answers: 0, ...compareHeatMaps(oracle.expected(points), entries, late) });
      first ??= storageBytes;
    }
    return { checks, storageBytes: first ?? 0 };
  }
}

async function searchJobs(
  stream: Stream,
  fullSpeed: JobOutcome,
  run: (points: number, ratePerSecond: number) => Promise<EndedJob>,
): Promise<{ trials: EndedJob[]; sustainedPerSecond: number | undefined }> {
  const { trials: count, trialFor } = stream;
  const jobs: EndedJob[] = [];
  const { sustainedPerSecond } = await searchSustained(fullSpeed.pointsPerSecond, count, async (rate) => {
    const job = await run(pointsFor(rate, trialFor, sizeOf(stream)), rate);
    jobs.push(job);
    return job.outcome;
  });
  return { trials: jobs, sustainedPerSecond };
}

function pointsFor(ratePerSecond: number, lengthUs: number, max: number): number {
  return Math.min(max, Math.max(1, Math.round((ratePerSecond * lengthUs) / 1e6)));
}

/** Rejects with the reason of the signal, or after the timeout of the experiment. */
function limited<T>(step: Promise<T>, { timeout }: Stream, signal: AbortSignal): Promise<T> {
  const error = () =>
    new TopoBenchError('TB_STREAM_ENGINE', `the job took longer than ${formatUs(timeout)}`, {
      hint: 'raise `stream.timeout`, or use fewer points',
    });
  return withinLimit(step, { limitUs: timeout, error, signal });
}
