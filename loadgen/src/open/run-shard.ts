/**
 * The open model in one generator process: sends each request at its intended time, regardless of earlier ones, and
 * records the times of sending and of the last byte.
 */
import { type GeneratorUse, systemErrorText } from '@topo-bench/core';
import { hostClock, sleepUntil } from '@topo-bench/host';
import { type ArrivalShard, scheduleOfPart } from '@topo-bench/workload';
import { BodyStore } from '../body-store.ts';
import { type ErrorExamples, type ErrorKind, errorKindOf, errorNumber } from '../error-kind.ts';
import type { PreparedShard, Shard, ShardResult } from '../generator/messages.ts';
import { stopOptimising } from '../generator/quiet-runtime.ts';
import { startUseMeter } from '../generator/use-meter.ts';
import { type PartProgress, ProgressMeter } from '../live/progress.ts';
import type { LoadJob } from '../load-job.ts';
import { sumOfConnections } from '../load-result.ts';
import { emptySamples, isError, type Samples } from '../samples.ts';
import type { Connections } from './connections.ts';
import type { HttpConnection, ResponseListener } from './http-connection.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { type PreparedRequests, prepareRequests } from './prepared-requests.ts';
import { prepareRehearsal } from './rehearsal.ts';

/** Connections opened ahead, per process: enough for responses of 50 ms, few enough not to expire between uses. */
const openAheadSeconds = 0.05;
const minOpenAhead = 8;
const maxOpenAhead = 128;
const timeoutCheckMs = 50;

export async function prepareShard(job: LoadJob, shard: Shard, entry: string): Promise<PreparedShard> {
  const rehearsal = await prepareRehearsal(job);
  await (await prepareRun(rehearsal.job, { part: 0, parts: 1 })).run(
    hostClock.nowUs(),
    rehearsal.pacer,
    () => undefined,
  );
  rehearsal.end();
  const run = await prepareRun(job, shard);
  const pacer = await createPacer(run.intendedUs, entry);
  stopOptimising();
  return {
    threads: pacer.thread === undefined ? undefined : [pacer.thread],
    run: (startAtUs, onDrained, onProgress) => run.run(startAtUs, pacer, onDrained, onProgress),
  };
}

async function prepareRun(job: LoadJob, shard: Shard): Promise<OpenRun> {
  const { parts } = shard;
  const arrivals = scheduleOfPart(job, shard);
  const requests = prepareRequests(job, arrivals.indexes);
  const rateRps = Math.max(job.rateRps, job.rampToRps ?? 0) / parts;
  const wanted = Math.min(maxOpenAhead, Math.max(Math.min(minOpenAhead, rateRps), rateRps * openAheadSeconds));
  // In turns each URL has the whole rate to itself.
  const { length: servers } = job.turns ? job.urls : [job];
  const openAhead = Math.ceil((wanted * servers) / requests.connections.length);
  await Promise.all(requests.connections.map((connections) => connections.open(openAhead)));
  return new OpenRun(job, arrivals, requests, Math.ceil(job.inFlightCap / parts));
}

class OpenRun {
  readonly #job: LoadJob;
  readonly #requests: PreparedRequests;
  readonly #inFlightCap: number;
  readonly #samples: Samples;
  readonly #bodies = new BodyStore();
  /** Requests in flight by row, in order of sending. */
  readonly #open = new Map<number, HttpConnection>();
  #startAtUs = 0;
  /** Row of the next request to send. */
  #next = 0;
  #inFlightMax = 0;
  #onIdle: (() => void) | undefined;
  #progress: ProgressMeter | undefined;
  readonly #errorExamples: ErrorExamples = {};

  constructor(job: LoadJob, arrivals: ArrivalShard, requests: PreparedRequests, inFlightCap: number) {
    this.#job = job;
    this.#requests = requests;
    this.#inFlightCap = inFlightCap;
    this.#samples = { ...emptySamples(arrivals.indexes.length), index: arrivals.indexes, intendedUs: arrivals.timesUs };
  }

  get intendedUs(): Float64Array {
    return this.#samples.intendedUs;
  }

  async run(
    startAtUs: number,
    pacer: Pacer,
    onDrained: () => void,
    onProgress?: (progress: PartProgress) => void,
  ): Promise<ShardResult> {
    this.#startAtUs = startAtUs;
    pacer.start(startAtUs, () => this.#sendDue());
    await sleepUntil(startAtUs);
    const { progressMs } = this.#job;
    if (progressMs !== undefined && onProgress) this.#progress = new ProgressMeter(progressMs, onProgress);
    const measureUse = startUseMeter();
    const timeouts =
      this.#job.timeoutUs === undefined ? undefined : setInterval(() => this.#abortTimedOut(), timeoutCheckMs);
    await sleepUntil(startAtUs + this.#job.durationUs);
    this.#progress?.stop();
    const use = measureUse();
    // Requests that became due while the event loop was busy are sent late and recorded as such, never dropped.
    this.#sendDue();
    await this.#drained();
    onDrained();
    pacer.stop();
    clearInterval(timeouts);
    return this.#end(use);
  }

  /** @returns µs until the next request is due; +∞ after the last */
  #sendDue(): number {
    const { intendedUs } = this.#samples;
    while (this.#next < intendedUs.length) {
      const waitUs = (intendedUs[this.#next] as number) - this.#nowUs();
      if (waitUs > 0) return waitUs;
      this.#send(this.#next++);
    }
    return Number.POSITIVE_INFINITY;
  }

  #send(row: number): void {
    if (this.#open.size >= this.#inFlightCap) {
      this.#fail(row, 'in-flight-cap');
      return;
    }
    const { connections, message } = this.#requests.take(row);
    const connection = connections.take();
    this.#open.set(row, connection);
    this.#inFlightMax = Math.max(this.#inFlightMax, this.#open.size);
    this.#samples.sentUs[row] = this.#nowUs();
    connection.send(this.#requests.method, message, this.#listener(row, connection, connections));
  }

  /** Does only the work that must precede the next due request. */
  #listener(row: number, connection: HttpConnection, connections: Connections): ResponseListener {
    const samples = this.#samples;
    return {
      onResponse: ({ status, header, body }) => {
        samples.doneUs[row] = this.#nowUs();
        samples.status[row] = status;
        this.#progress?.answered((samples.doneUs[row] as number) - (samples.intendedUs[row] as number));
        if (isError(status)) this.#progress?.failed();
        const { keepResponses, keepHeader } = this.#requests;
        if (keepHeader) {
          if (keepResponses) this.#bodies.add(row, [Buffer.from(`${header ?? ''}\n`), ...body]);
        } else {
          if (header !== undefined) samples.rttUs[row] = Number(header);
          if (keepResponses && body.length > 0) this.#bodies.add(row, body);
        }
        connections.give(connection);
        this.#close(row);
      },
      onError: (error) => {
        if (samples.error[row] === 0) this.#fail(row, errorKindOf(error), error);
        connections.give(connection);
        this.#close(row);
      },
    };
  }

  #fail(row: number, kind: ErrorKind, error?: Error): void {
    this.#samples.error[row] = errorNumber(kind);
    if (error) this.#errorExamples[kind] ??= systemErrorText(error);
    this.#progress?.failed();
  }

  #close(row: number): void {
    this.#open.delete(row);
    if (this.#open.size === 0) this.#onIdle?.();
  }

  #abortTimedOut(): void {
    const latest = this.#nowUs() - (this.#job.timeoutUs ?? Number.POSITIVE_INFINITY);
    for (const [row, connection] of this.#open) {
      if ((this.#samples.sentUs[row] as number) > latest) break;
      this.#fail(row, 'timeout');
      connection.destroy(new Error('request timed out'));
    }
  }

  /** All requests are answered, or the bound of the drain is reached. */
  async #drained(): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const bound = setTimeout(resolve, (this.#job.durationUs + this.#job.drainUs - this.#nowUs()) / 1e3);
      this.#onIdle = () => {
        clearTimeout(bound);
        resolve();
      };
    });
  }

  #end(use: GeneratorUse): ShardResult {
    for (const connections of this.#requests.connections) connections.destroy();
    const samples = this.#samples;
    const bodies = this.#requests.keepResponses ? this.#bodies.stored(samples.index.length) : undefined;
    return {
      samples,
      bodies,
      inFlightMax: this.#inFlightMax,
      errorExamples: this.#errorExamples,
      connections: sumOfConnections(this.#requests.connections.map(({ counts }) => counts)),
      use,
    };
  }

  #nowUs(): number {
    return hostClock.nowUs() - this.#startAtUs;
  }
}
