/**
 * The open model in one generator process: sends each request at its intended time, whatever became of the ones before,
 * and records when it was sent and when its last byte came.
 */
import { headers, randomStream } from '@topo-bench/core';
import { type ArrivalShard, arrivalShard, arrivalTimesUs } from '@topo-bench/workload/arrivals';
import type { Client, Dispatcher } from 'undici';
import { BodyStore } from '../body-store.ts';
import { type ErrorKind, errorKindOf, errorNumber } from '../error-kind.ts';
import type { GeneratorUse, PreparedShard, Shard, ShardResult } from '../generator/messages.ts';
import { startUseMeter } from '../generator/use-meter.ts';
import { type LoadJob, parseTarget } from '../load-job.ts';
import { type OutgoingRequests, outgoingRequests } from '../outgoing-requests.ts';
import { emptySamples, isUnfinished, type Samples } from '../samples.ts';
import { sharedClock } from '../shared-clock.ts';
import { Connections } from './connections.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { prepareRehearsal } from './rehearsal.ts';

/** Connections opened ahead, per process: those that responses of `openAheadUs` would keep busy, within bounds. */
const openAheadUs = 50_000;
const openAheadLeast = 8;
const openAheadMost = 128;
const timeoutCheckMs = 50;

/** The intended send times of a whole job: a function of law, rate, duration, seed and repetition alone. */
export function scheduleUs({ arrivals, rateRps, durationUs, seed, repetition }: LoadJob): Float64Array {
  return arrivalTimesUs(arrivals, rateRps, durationUs, randomStream(seed, 'arrivals', repetition));
}

export async function prepareShard(job: LoadJob, shard: Shard, entry: string): Promise<PreparedShard> {
  const rehearsal = await prepareRehearsal(job);
  await (await prepareRun(rehearsal.job, { part: 0, parts: 1 })).run(sharedClock.nowUs(), rehearsal.pacer);
  rehearsal.end();
  const run = await prepareRun(job, shard);
  const pacer = await createPacer(run.intendedUs, entry);
  return { run: (startAtUs) => run.run(startAtUs, pacer) };
}

async function prepareRun(job: LoadJob, { part, parts }: Shard): Promise<OpenRun> {
  const arrivals = arrivalShard(scheduleUs(job), part, parts);
  const requests = outgoingRequests(job, arrivals.indexes);
  const targets = job.urls
    .map(parseTarget)
    .map((url) => ({ path: url.pathname + url.search, connections: new Connections(url) }));
  const wanted = Math.round(((job.rateRps / parts) * openAheadUs) / 1e6);
  const openAhead = Math.ceil(Math.min(openAheadMost, Math.max(openAheadLeast, wanted)) / targets.length);
  await Promise.all(targets.map(({ connections }) => connections.open(openAhead)));
  return new OpenRun(job, arrivals, requests, targets, Math.ceil(job.inFlightCap / parts));
}

interface Target {
  path: string;
  connections: Connections;
}

class OpenRun {
  readonly #job: LoadJob;
  readonly #requests: OutgoingRequests;
  readonly #targets: readonly Target[];
  readonly #inFlightCap: number;
  readonly #samples: Samples;
  readonly #bodies = new BodyStore();
  /** Open requests by row, in order of sending; undefined until the request is on a connection. */
  readonly #open = new Map<number, Dispatcher.DispatchController | undefined>();
  #startAtUs = 0;
  /** Row of the next request to send. */
  #next = 0;
  #inFlightMax = 0;
  #ended = false;
  #onIdle: (() => void) | undefined;

  constructor(job: LoadJob, arrivals: ArrivalShard, requests: OutgoingRequests, targets: readonly Target[], inFlightCap: number) {
    this.#job = job;
    this.#requests = requests;
    this.#targets = targets;
    this.#inFlightCap = inFlightCap;
    this.#samples = { ...emptySamples(arrivals.indexes.length), index: arrivals.indexes, intendedUs: arrivals.timesUs };
  }

  get intendedUs(): Float64Array {
    return this.#samples.intendedUs;
  }

  async run(startAtUs: number, pacer: Pacer): Promise<ShardResult> {
    this.#startAtUs = startAtUs;
    pacer.start(startAtUs, () => this.#sendDue());
    await this.#until(0);
    const measureUse = startUseMeter();
    const timeouts = this.#job.timeoutUs === undefined ? undefined : setInterval(() => this.#giveUpLate(), timeoutCheckMs);
    await this.#until(this.#job.durationUs);
    const use = measureUse();
    // What became due while the event loop was busy still leaves: late and recorded as such, never dropped.
    this.#sendDue();
    await this.#drained();
    pacer.stop();
    clearInterval(timeouts);
    return this.#end(use);
  }

  /** @returns µs until the next is due; +∞ after the last */
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
      this.#samples.error[row] = errorNumber('in-flight-cap');
      return;
    }
    const index = this.#samples.index[row] as number;
    const { path, connections } = this.#targets[index % this.#targets.length] as Target;
    const { method, headers, body } = this.#requests;
    const client = connections.take();
    this.#open.set(row, undefined);
    this.#inFlightMax = Math.max(this.#inFlightMax, this.#open.size);
    const options = { path, method, headers, body: body(index) ?? null };
    this.#samples.sentUs[row] = this.#nowUs();
    client.dispatch(options, this.#handler(row, client, connections));
  }

  /** Called by the client as the response comes in; does the least that must happen before the next request is due. */
  #handler(row: number, client: Client, connections: Connections): Dispatcher.DispatchHandler {
    const samples = this.#samples;
    const chunks: Uint8Array[] = [];
    return {
      onRequestStart: (controller) => {
        if (samples.error[row] === 0) this.#open.set(row, controller);
        else controller.abort(new Error('given up while connecting'));
      },
      onResponseStart: (_controller, statusCode, responseHeaders) => {
        samples.status[row] = statusCode;
        const rtt = responseHeaders[headers.rtt];
        if (rtt !== undefined) samples.rttUs[row] = Number(rtt);
      },
      onResponseData: (_controller, chunk) => {
        if (this.#requests.keepResponses) chunks.push(chunk);
      },
      onResponseEnd: () => {
        if (this.#ended) return;
        samples.doneUs[row] = this.#nowUs();
        if (chunks.length > 0) this.#bodies.add(row, chunks);
        connections.give(client);
        this.#close(row);
      },
      onResponseError: (_controller, error) => {
        if (this.#ended) return;
        if (samples.error[row] === 0) this.#fail(row, errorKindOf(error));
        // The client opens a new connection with its next request.
        connections.give(client);
        this.#close(row);
      },
    };
  }

  #fail(row: number, kind: ErrorKind): void {
    this.#samples.error[row] = errorNumber(kind);
  }

  #close(row: number): void {
    this.#open.delete(row);
    if (this.#open.size === 0) this.#onIdle?.();
  }

  #giveUpLate(): void {
    const latest = this.#nowUs() - (this.#job.timeoutUs ?? Number.POSITIVE_INFINITY);
    for (const [row, controller] of this.#open) {
      if ((this.#samples.sentUs[row] as number) > latest) break;
      this.#fail(row, 'timeout');
      controller?.abort(new Error('given up'));
    }
  }

  /** All requests answered, or the drain's bound reached. */
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

  async #end(use: GeneratorUse): Promise<ShardResult> {
    this.#ended = true;
    const samples = this.#samples;
    // A response whose head came but whose end did not is no response.
    for (let row = 0; row < samples.index.length; row++) if (isUnfinished(samples, row)) samples.status[row] = 0;
    await Promise.all(this.#targets.map(({ connections }) => connections.destroy()));
    const bodies = this.#requests.keepResponses ? this.#bodies.stored(samples.index.length) : undefined;
    return { samples, bodies, inFlightMax: this.#inFlightMax, use };
  }

  /** Waits until that many µs after the start; at once when they have passed. */
  async #until(us: number): Promise<void> {
    const leftMs = (us - this.#nowUs()) / 1e3;
    // Timers truncate to whole milliseconds.
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(leftMs)));
  }

  #nowUs(): number {
    return sharedClock.nowUs() - this.#startAtUs;
  }
}
