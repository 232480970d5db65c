/** The job of a load driver. Plain data: it travels to generator processes. */
import { TopoBenchError } from '@topo-bench/core';
import type { ArrivalLaw, ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { RequestClass } from '@topo-bench/core/schema/topology';
import type { StoreWorkload, TurnLengths } from '@topo-bench/workload';
import type { TransferRequest } from './flight/transfer.ts';
import { checkRequestHead, type HeaderFields } from './request-head.ts';

/**
 * Requests drawn from classes, as `POST` with a JSON body. The bodies of answers are kept. A function of (seed,
 * repetition, index).
 */
export interface GeneratedRequests {
  kind: 'generated';
  classes: readonly RequestClass[];
}

/** One request, repeated, to a user-supplied server. The bodies of answers are not kept. */
export interface PlainRequest {
  kind: 'plain';
  method: string;
  headers: HeaderFields;
  /** Sent as it is. */
  body?: Uint8Array;
}

/** Reads and writes of items, to a service with data. A function of (seed, repetition, index). */
export interface StoreRequests {
  kind: 'store';
  workload: StoreWorkload;
  headers: Readonly<Record<string, string>>;
  /** Keeps the reports of enforcement points and the bodies of answers, for the check of decisions. */
  keepResponses: boolean;
}

/**
 * Several servers under the same load, one at a time. `durationUs` of the job is then the length of all turns together
 * (`durationInTurnsUs`). Request `index` goes to URL `index % urls.length`, at place ⌊index / urls.length⌋ of that
 * URL's own schedule.
 */
export interface Turns extends TurnLengths {
  /** By URL, for servers with different request classes. Default: all get `request`. */
  requests?: readonly GeneratedRequests[];
}

/** One of several gateways of a server. */
export interface Entry {
  /** Region whose requests enter here. */
  region: string;
  /** With path. */
  url: string;
}

export interface TlsCheck {
  /** PEM text: the authorities to trust, in place of those of Node.js. */
  ca?: string;
  /** Checks no certificate. */
  insecure?: boolean;
}

export interface LoadJob {
  /**
   * http(s) URLs with path (driver `flight`: address of the service). Request `index` goes to `urls[index %
   * urls.length]` (open), connection `i` to `urls[i % …]` (closed).
   */
  urls: readonly string[];
  request: GeneratedRequests | PlainRequest | StoreRequests | TransferRequest;
  /**
   * By URL: the entries of that server in its place, for generated requests with driver `open`. A request goes to the
   * entry of its origin, or to the first where its origin has none. Absent: each server has one.
   */
  entries?: readonly (readonly Entry[])[];
  /**
   * Driver `open`: every URL gets a schedule of its own, and the URLs take turns. Default: the URLs share one schedule.
   */
  turns?: Turns;
  seed: number;
  /** From 1; 0 is the warm-up's. */
  repetition: number;
  durationUs: number;
  /** Max wait for requests in flight after the load. */
  drainUs: number;
  /** Arrival law and offered load in req/s: driver `open`. */
  arrivals: ArrivalLaw;
  rateRps: number;
  /** Offered load at the end: the rate changes evenly from `rateRps` on. Driver `open`; default: `rateRps`. */
  rampToRps?: number;
  /** Interval of reports of progress; default: none. */
  progressMs?: number;
  /** Clients that each wait for their response: driver `autocannon`. */
  connections: number;
  /** Generators that split the load: processes on this machine, or one for each of so many hosts. */
  generators: number;
  /**
   * Processes of each generator. Default: as many as the load needs where one generator runs on this machine, else 1.
   */
  processes?: number;
  /**
   * Keep the host's cores from sleeping during the load, where the system allows it. With driver `flight` they sleep.
   */
  keepAwake: boolean;
  /** Max requests in flight, over all processes. */
  inFlightCap: number;
  /** Check of certificates. Default: as Node.js does. */
  tls?: TlsCheck;
  /** A request without response fails after this time with error `timeout` (checked every 50 ms). */
  timeoutUs?: number;
}

/** Fields that a study sets itself; missing or undefined fields have defaults. */
export type LoadJobPart = Pick<LoadJob, 'urls' | 'request'> & { [Field in keyof LoadJob]?: LoadJob[Field] | undefined };

/** The defaults of `topo-bench load`; those of experiments are in their schema. */
const defaults: Omit<LoadJob, 'urls' | 'request'> = {
  seed: 1,
  repetition: 1,
  durationUs: 10_000_000,
  drainUs: 60_000_000,
  arrivals: 'constant',
  rateRps: 100,
  connections: 10,
  generators: 1,
  keepAwake: true,
  inFlightCap: 8000,
};

/** Builds all jobs: of every study, and of a load on a user-supplied server. */
export function loadJob(part: LoadJobPart): LoadJob {
  const stated = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
  return { ...defaults, ...(stated as Pick<LoadJob, 'urls' | 'request'> & Partial<LoadJob>) };
}

/** The part of a job that the experiment's file sets. */
export function loadOf({ load, seed, duration, drain }: ExperimentFile): Omit<LoadJobPart, 'urls' | 'request'> {
  return {
    seed,
    durationUs: duration,
    drainUs: drain,
    arrivals: load.arrivals,
    rateRps: load.rate,
    connections: load.connections,
    inFlightCap: load.inFlightCap,
    keepAwake: load.keepAwake,
    generators: load.generators,
    processes: load.processes,
  };
}

/**
 * Checks constraints that the types cannot express.
 * @throws TopoBenchError `TB_LOAD_URL` for a URL that is not http(s), `TB_USAGE` for a number out of range, or a
 *   method or header that cannot be sent
 */
export function checkLoadJob(job: LoadJob): void {
  if (job.urls.length === 0) throw new TopoBenchError('TB_LOAD_URL', 'no URL given, expected at least one');
  if (job.request.kind !== 'transfer') job.urls.forEach(parseTarget);
  for (const { url } of job.entries?.flat() ?? []) parseTarget(url);
  if (job.request.kind === 'plain') checkRequestHead(job.request.method, job.request.headers);
  requireAtLeast(0, 'drain', job.drainUs);
  if (job.turns) {
    requireAtLeast(1000, 'slice (in µs)', job.turns.sliceUs);
    requireAtLeast(0, 'gap (in µs)', job.turns.gapUs);
  }
  requireAtLeast(1, 'connections', job.connections);
  requireAtLeast(1, 'in-flight cap', job.inFlightCap);
  requireAtLeast(1, 'generators', job.generators);
  if (job.processes !== undefined) requireAtLeast(1, 'generator processes', job.processes);
  if (job.timeoutUs !== undefined) requireAtLeast(1, 'timeout', job.timeoutUs);
}

/** `unix:/path`, with or without a scheme of HTTP. */
const unixSocket = /^(?:http:\/\/)?(?:https?\+)?unix:\//i;

/** @throws TopoBenchError `TB_LOAD_URL` */
export function parseTarget(url: string): URL {
  if (unixSocket.test(url)) {
    throw new TopoBenchError('TB_LOAD_URL', 'the URL is that of a Unix domain socket, expected an http or https URL', {
      hint: 'let the server listen on a port of 127.0.0.1',
    });
  }
  const [, port] = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    throw new TopoBenchError('TB_LOAD_URL', `the URL has port ${port}, expected 1 to 65535`, {
      hint: 'name the port on which the server listens',
    });
  }
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target;
  // Whatever stands before an @ may be a password that is not encoded.
  const shown = url.replace(/^([a-z][a-z\d+.-]*:\/\/).*@/is, '$1***@');
  throw new TopoBenchError('TB_LOAD_URL', `${JSON.stringify(shown)} is not an http or https URL`, {
    hint: 'write the URL in full, e.g. http://127.0.0.1:8080/requests',
  });
}

function requireAtLeast(least: number, what: string, value: number): void {
  if (!(value >= least))
    throw new TopoBenchError('TB_USAGE', `${what} is ${value}, expected a number of at least ${least}`);
}
