/**
 * The closed model in one generator process. autocannon drives the connections. Our own code takes the times, in µs per
 * request: autocannon's histogram rounds to milliseconds and corrects for a rate that a closed model does not have.
 */
import type { Socket } from 'node:net';
import { headers, systemErrorText } from '@topo-bench/core';
import { hostClock, sleepUntil } from '@topo-bench/host';
import autocannon from 'autocannon';
import { BodyStore } from '../body-store.ts';
import { type ErrorExamples, type ErrorKind, errorKindOf, errorNumber } from '../error-kind.ts';
import type { PreparedShard, Shard, ShardResult } from '../generator/messages.ts';
import { startUseMeter } from '../generator/use-meter.ts';
import { type PartProgress, ProgressMeter } from '../live/progress.ts';
import { type LoadJob, parseTarget } from '../load-job.ts';
import { Connections } from '../open/connections.ts';
import { maxKeptBodyBytes, type Response } from '../open/response-parser.ts';
import { type OutgoingRequests, outgoingRequests } from '../outgoing-requests.ts';
import { statesLength } from '../request-head.ts';
import { emptySamples, isError, resized, type Samples } from '../samples.ts';
import { ResponseReader } from './response-reader.ts';

/** autocannon retries refused connections in a tight loop: abort after this many errors. */
const maxErrors = 10_000;
/** Interval at which autocannon checks whether to stop. */
const stopCheckMs = 50;
const timeoutWhenNoneS = 24 * 3600;

export async function prepareShard(job: LoadJob, shard: Shard): Promise<PreparedShard> {
  const requests = outgoingRequests(job);
  await checkCertificates(job);
  return { threads: [], run: (...args) => new ClosedRun(job, shard, requests).run(...args) };
}

/**
 * autocannon checks no certificate.
 * @throws TopoBenchError `TB_LOAD_UNREACHABLE`
 */
async function checkCertificates({ urls, tls }: LoadJob): Promise<void> {
  for (const target of urls.map(parseTarget)) {
    if (target.protocol !== 'https:') continue;
    const connections = new Connections(target, { tls });
    await connections.open(1);
    connections.destroy();
  }
}

type Method = Exclude<autocannon.Request['method'], undefined>;

/**
 * Parts of autocannon's client that its types omit: events of any name, the number of requests after which it ends, and
 * its socket.
 */
type Client = NodeJS.EventEmitter &
  Pick<autocannon.Client, 'setBody' | 'setRequests'> & {
    responseMax: number;
    conn: Socket;
  };

class ClosedRun {
  readonly #job: LoadJob;
  readonly #shard: Shard;
  readonly #requests: OutgoingRequests;
  readonly #bodies = new BodyStore();
  readonly #clients: Client[] = [];
  #samples: Samples = emptySamples(4096);
  #rows = 0;
  #startAtUs = 0;
  #open = 0;
  #progress: ProgressMeter | undefined;
  #openMax = 0;
  #connections = 0;
  readonly #errorExamples: ErrorExamples = {};

  constructor(job: LoadJob, shard: Shard, requests: OutgoingRequests) {
    this.#job = job;
    this.#shard = shard;
    this.#requests = requests;
  }

  async run(
    startAtUs: number,
    onDrained: () => void,
    onProgress?: (progress: PartProgress) => void,
  ): Promise<ShardResult> {
    this.#startAtUs = startAtUs;
    await sleepUntil(this.#startAtUs);
    const { progressMs } = this.#job;
    if (progressMs !== undefined && onProgress) this.#progress = new ProgressMeter(progressMs, onProgress);
    const measureUse = startUseMeter();
    const finished = Promise.all(this.#job.urls.map((url, i) => this.#drive(url, i)));
    await sleepUntil(this.#startAtUs + this.#job.durationUs);
    this.#progress?.stop();
    const use = measureUse();
    // Each client ends on its response instead of sending again.
    for (const client of this.#clients) client.responseMax = 1;
    await finished;
    onDrained();
    const bodies = this.#requests.keepResponses ? this.#bodies.stored(this.#rows) : undefined;
    const samples = resized(this.#samples, this.#rows);
    // A client connects with the request that it sends: each handshake is in the time of one.
    const connections = { opened: this.#connections, onDemand: this.#connections };
    return { samples, bodies, inFlightMax: this.#openMax, errorExamples: this.#errorExamples, connections, use };
  }

  async #drive(url: string, i: number): Promise<void> {
    const { connections: all, urls, durationUs, drainUs, timeoutUs } = this.#job;
    const { part, parts } = this.#shard;
    const connections = share(share(all, part, parts), i, urls.length);
    if (connections === 0) return;
    await autocannon({
      url,
      connections,
      requests: [
        {
          method: this.#requests.method as Method,
          headers: fieldsOf(this.#requests),
        },
      ],
      // The bound of the drain replaces autocannon's own end.
      duration: (durationUs + drainUs) / 1e6,
      sampleInt: stopCheckMs,
      timeout: timeoutUs === undefined ? timeoutWhenNoneS : Math.max(1, timeoutUs / 1e6),
      bailout: maxErrors,
      skipAggregateResult: true,
      setupClient: (client) => this.#follow(client as unknown as Client),
    });
  }

  #follow(client: Client): void {
    this.#clients.push(client);
    let row: number | undefined;
    let lost: number | undefined;
    const { method, keptHeader: wantedHeader = headers.rtt, keepResponses } = this.#requests;
    const reader = new ResponseReader({
      method,
      wantedHeader,
      maxBodyBytes: keepResponses ? maxKeptBodyBytes : 0,
      onResponse: (response) => {
        if (row !== undefined) this.#finish(row, response);
        row = undefined;
      },
    });
    client.on('request', () => {
      // The last request got no response: the server closed the connection, and autocannon opened a new one.
      if (row !== undefined) this.#fail(row, 'connection-reset');
      lost = row;
      row = this.#send(client);
      if (reader.expect(client.conn)) this.#connections++;
    });
    client.on('connError', (error: Error) => {
      if (row !== undefined) this.#fail(row, errorKindOf(error), error);
      row = undefined;
    });
    // A client that ends without a response before the bound of the drain lost its connection.
    client.on('done', () => {
      if (row !== undefined && this.#nowUs() < this.#job.durationUs + this.#job.drainUs)
        this.#fail(row, 'connection-reset');
      row = undefined;
    });
    // autocannon emits this after it has reconnected and sent the next request.
    client.on('timeout', () => {
      if (lost !== undefined) this.#samples.error[lost] = errorNumber('timeout');
    });
  }

  /** @returns the row of the request, which autocannon sends right after this event */
  #send(client: Client): number {
    const row = this.#rows++;
    if (row === this.#samples.index.length) this.#samples = resized(this.#samples, row * 2);
    const index = this.#shard.part + row * this.#shard.parts;
    this.#setRequest(client, index);
    this.#openMax = Math.max(this.#openMax, ++this.#open);
    this.#samples.index[row] = index;
    this.#samples.sentUs[row] = this.#nowUs();
    this.#samples.intendedUs[row] = this.#samples.sentUs[row] as number;
    return row;
  }

  #setRequest(client: Client, index: number): void {
    const { varied, body } = this.#requests;
    const request = varied?.(index);
    // Set the whole list: autocannon replaces a single request by the next one of its list before it sends.
    if (request) client.setRequests([{ ...request, method: request.method as Method }]);
    else client.setBody(body(index));
  }

  #finish(row: number, { status, header, body }: Response): void {
    const { keepResponses, keptHeader } = this.#requests;
    this.#samples.doneUs[row] = this.#nowUs();
    this.#samples.status[row] = status;
    this.#progress?.answered((this.#samples.doneUs[row] as number) - (this.#samples.sentUs[row] as number));
    if (isError(status)) this.#progress?.failed();
    if (keptHeader === undefined && header !== undefined) this.#samples.rttUs[row] = Number(header);
    const kept = keptHeader === undefined ? body : [Buffer.from(`${header ?? ''}\n`), ...body];
    if (keepResponses && kept.length > 0) this.#bodies.add(row, kept);
    this.#open--;
  }

  #fail(row: number, kind: ErrorKind, error?: Error): void {
    this.#samples.error[row] = errorNumber(kind);
    if (error) this.#errorExamples[kind] ??= systemErrorText(error);
    this.#progress?.failed();
    this.#open--;
  }

  #nowUs(): number {
    return hostClock.nowUs() - this.#startAtUs;
  }
}

/**
 * Fields as autocannon takes them: it writes name and value as they are, so that further fields of a name are lines
 * behind the first one.
 */
function fieldsOf({ method, headers, body }: OutgoingRequests): Record<string, string> {
  const fields = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headers) {
    const [first, values] = fields.get(name.toLowerCase()) ?? [];
    const added = values === undefined ? value : `${values}\r\n${name}: ${value}`;
    fields.set(name.toLowerCase(), [first ?? name, added]);
  }
  if (statesLength(method) && !body(0)?.length) fields.set('content-length', ['content-length', '0']);
  return Object.fromEntries(fields.values());
}

/** Share of part `part` when `all` are distributed evenly over `parts`. */
function share(all: number, part: number, parts: number): number {
  return Math.max(0, Math.ceil((all - part) / parts));
}
