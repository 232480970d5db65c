/** A Flink cluster: uploads the jar of a job, runs jobs with it one by one, and deletes the jar. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { StreamResult } from '../stream-job.ts';
import type { GpsPoints } from '../tracks/cycling-trips.ts';
import { flinkDatabase } from './databases/databases.ts';
import { argumentsOf, type FlinkJob } from './job-arguments.ts';
import { jobFolder, jobJar } from './job-jar.ts';
import { type FlinkFigures, type JobAnswers, type ProcessUse, resultOf } from './job-result.ts';
import { FlinkRest, rootCause } from './rest-client.ts';

const pollMs = 50;
/** Time until a cancelled job has ended. */
const cancelMs = 30_000;
/** Flink does not know the job. */
const unknown = 'UNKNOWN';
const ends = ['FINISHED', 'FAILED', 'CANCELED', unknown];

export interface ClusterOverview {
  version: string;
  slots: number;
  freeSlots: number;
}

/** `cpuUs` and `peakRssBytes` are those of the task managers that the job ran on. */
export type FlinkResult = StreamResult & ProcessUse & { flink: FlinkFigures };

export class FlinkCluster {
  readonly #rest: FlinkRest;
  /** Flink puts an id in front of the name of a jar. */
  readonly #jarName = `topo-bench-heat-map-${randomUUID()}.jar`;
  /** Aborted when no job is observed any more. */
  readonly #abandoned = new AbortController();
  #jar: Promise<string> | undefined;
  /** The job that has not ended yet, as far as is known. */
  #job: { id: string; submitted: Promise<void> } | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  /** @param url `http://host:port` of its REST interface */
  constructor(url: string) {
    this.#rest = new FlinkRest(url);
  }

  /** @throws TopoBenchError `TB_FLINK_MISSING` */
  async overview(): Promise<ClusterOverview> {
    const overview = await this.#rest.get<Record<string, number | string>>('/overview');
    const [version, slots, freeSlots] = ['flink-version', 'slots-total', 'slots-available'].map((key) => overview[key]);
    if (typeof version !== 'string') {
      throw new TopoBenchError('TB_FLINK_MISSING', 'the server at the address of Flink is not one of Flink', {
        hint: 'name the REST interface of its JobManager, e.g. http://127.0.0.1:8081',
      });
    }
    return { version, slots: Number(slots), freeSlots: Number(freeSlots) };
  }

  /**
   * Runs a job to the end of its points. All jobs of a cluster object have the same points and login.
   * @throws TopoBenchError `TB_STREAM_ENGINE` with the root cause when the job fails or is cancelled
   */
  async run(points: GpsPoints, job: FlinkJob): Promise<FlinkResult> {
    if (this.#isClosed) throw cancelled();
    this.#jar ??= this.#upload(points, job);
    const jar = await this.#jar;
    if (this.#isClosed) throw cancelled();
    // An id of our own: a job whose submission has no answer can be cancelled too.
    const id = randomUUID().replaceAll('-', '');
    const submitted = this.#submit(jar, id, job);
    this.#job = { id, submitted };
    await submitted;
    const state = await this.#ended(id, this.#abandoned.signal);
    if (state === undefined) throw cancelled();
    this.#job = undefined;
    if (state !== 'FINISHED') throw await this.#failure(id, state);
    return resultOf(await this.#answers(id), job);
  }

  /**
   * Cancels the job that runs, waits for its end, and deletes the jar. No job can be run afterwards. May be called
   * again, and then repeats what has failed. @throws TopoBenchError `TB_STREAM_ENGINE` naming what is left on Flink
   */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#closing ??= this.#removeAll().finally(() => {
      this.#closing = undefined;
      this.#abandoned.abort();
    });
    return this.#closing;
  }

  async #removeAll(): Promise<void> {
    const left: string[] = [];
    await this.#cancelJob().catch(({ message }: Error) => left.push(message));
    await this.#deleteJar().catch(({ message }: Error) => left.push(message));
    if (left.length === 0) return;
    throw new TopoBenchError('TB_STREAM_ENGINE', left.join('; '), {
      hint: 'cancel the job and delete the jar in the web interface of Flink',
    });
  }

  async #upload(points: GpsPoints, { database, heatMapUrl }: FlinkJob): Promise<string> {
    const login = flinkDatabase(database).loginOf(heatMapUrl);
    const parts = await jobJar(jobFolder(), points, login);
    return this.#rest.uploadJar(this.#jarName, parts);
  }

  async #deleteJar(): Promise<void> {
    if (!this.#jar) return;
    let name = this.#jarName;
    try {
      // Flink can have a jar whose upload has failed here.
      const id = await this.#jar.catch(() => this.#storedJar());
      name = id ?? name;
      if (id !== undefined) await this.#rest.delete(`/jars/${id}`).catch(this.#unlessGone);
    } catch (cause) {
      const left = `the jar ${name}, which contains the login of the database, can be left on Flink`;
      throw new TopoBenchError('TB_STREAM_ENGINE', `${left}: ${(cause as Error).message}`, { cause });
    }
    this.#jar = undefined;
  }

  /** The answer to an earlier request can be lost. */
  readonly #unlessGone = async (error: Error): Promise<void> => {
    if ((await this.#storedJar()) !== undefined) throw error;
  };

  async #storedJar(): Promise<string | undefined> {
    const { files } = await this.#rest.get<{ files: { id: string }[] }>('/jars');
    return files.find(({ id }) => id.endsWith(`_${this.#jarName}`))?.id;
  }

  async #submit(jar: string, jobId: string, job: FlinkJob): Promise<void> {
    await this.#rest.post(`/jars/${jar}/run`, {
      entryClass: 'dev.topobench.flink.HeatMapJob',
      programArgsList: argumentsOf(job),
      jobId,
    });
  }

  /** @returns the state at its end; undefined when the signal is aborted first */
  async #ended(id: string, signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted) {
      const state = await this.#stateOf(id);
      if (ends.includes(state)) return state;
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  async #stateOf(id: string): Promise<string> {
    return (await this.#rest.find<{ status: string }>(`/jobs/${id}/status`))?.status ?? unknown;
  }

  async #cancelJob(): Promise<void> {
    if (!this.#job) return;
    const { id, submitted } = this.#job;
    await submitted.catch(() => {});
    if (!ends.includes(await this.#stateOf(id))) await this.#cancel(id);
    this.#job = undefined;
  }

  async #cancel(id: string): Promise<void> {
    // Refused when the job has just ended.
    const refused = await this.#rest.patch(`/jobs/${id}?mode=cancel`).catch((error: Error) => error);
    if ((await this.#ended(id, AbortSignal.timeout(cancelMs))) !== undefined) return;
    const reason = refused ? `: ${refused.message}` : '';
    throw new TopoBenchError('TB_STREAM_ENGINE', `the job ${id} still runs on Flink after it was cancelled${reason}`);
  }

  async #failure(id: string, state: string): Promise<TopoBenchError> {
    if (state === 'CANCELED') return cancelled();
    const hint = 'see the logs of its JobManager and task managers';
    if (state === unknown) {
      return new TopoBenchError('TB_STREAM_ENGINE', `Flink does not know the job ${id} any more`, { hint });
    }
    type Exceptions = { 'root-exception'?: string; exceptionHistory?: { entries: { stacktrace: string }[] } };
    const exceptions = await this.#rest.get<Exceptions>(`/jobs/${id}/exceptions`);
    const trace = exceptions['root-exception'] ?? exceptions.exceptionHistory?.entries[0]?.stacktrace;
    const reason = trace ? `: ${rootCause(trace)}` : '';
    return new TopoBenchError('TB_STREAM_ENGINE', `the job on Flink failed${reason}`, { hint });
  }

  /** Flink keeps answers for seconds, and those before the end may be of another client's request. */
  async #answers(id: string): Promise<JobAnswers> {
    const job = await this.#endedJob(id);
    const [checkpoints, accumulators, { version }] = await Promise.all([
      this.#rest.get<JobAnswers['checkpoints']>(`/jobs/${id}/checkpoints`),
      this.#rest.get<JobAnswers['accumulators']>(`/jobs/${id}/accumulators`),
      this.overview(),
    ]);
    return { job, checkpoints, accumulators, version };
  }

  async #endedJob(id: string): Promise<JobAnswers['job']> {
    while (!this.#isClosed) {
      const job = await this.#rest.get<JobAnswers['job']>(`/jobs/${id}`);
      if (ends.includes(job.state)) return job;
      await sleep(pollMs, undefined, { signal: this.#abandoned.signal }).catch(() => {});
    }
    throw cancelled();
  }
}

function cancelled(): TopoBenchError {
  return new TopoBenchError('TB_STREAM_ENGINE', 'the job on Flink was cancelled', { hint: 'run it again' });
}
