/**
 * The use case behind `topo-bench load URL`: loads any user-supplied HTTP server and reports the result as one cell.
 */
import type { Sample } from '@topo-bench/core';
import type { ArrivalLaw, RequestDriverName } from '@topo-bench/core/schema/experiment';
import type { Cell } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { type Condition, meets } from '@topo-bench/results';
import {
  describeProbe,
  errorShare,
  type FindMaxResult,
  findMax,
  parseCondition,
  withHarmlessLag,
} from '@topo-bench/results/find-max';
import type { Driver } from '../driver.ts';
import { driverNamed } from '../driver-named.ts';
import type { ErrorExamples } from '../error-kind.ts';
import type { Launcher } from '../launcher/launcher.ts';
import { JoinedProgress, type LoadProgress, type PartProgress } from '../live/progress.ts';
import { type LoadJob, loadJob, type TlsCheck } from '../load-job.ts';
import type { LoadResult } from '../load-result.ts';
import type { HeaderFields } from '../request-head.ts';
import { measureLoad } from '../window/measure-load.ts';
import { delayedShare, type StatusCounts, statusCounts } from './answers.ts';
import { cellOfLoad, samplesOfLoad } from './cell-of-load.ts';
import { plainTarget } from './plain-target.ts';
import { type RampStep, rampSteps } from './ramp-steps.ts';

export type { RampStep } from './ramp-steps.ts';

export interface LoadUrlOptions {
  /** User and password are sent as Basic authentication. */
  url: string;
  driver?: RequestDriverName;
  arrivals?: ArrivalLaw;
  /** Offered load in req/s; with `findMax`, the rate at which the search begins. */
  rateRps?: number;
  /** Offered load at the end: the rate changes evenly over the load. Driver `open` only. */
  rampToRps?: number;
  connections?: number;
  durationUs?: number;
  drainUs?: number;
  method?: string;
  headers?: HeaderFields;
  body?: string | Uint8Array;
  seed?: number;
  processes?: number;
  inFlightCap?: number;
  /** Keep this host's cores from sleeping, where the system allows it; default true. */
  keepAwake?: boolean;
  timeoutUs?: number;
  /** Check of the server's certificate. */
  tls?: TlsCheck | undefined;
  /** Search the highest rate that meets this condition, e.g. `p95<50ms`. Driver `open` only. */
  findMax?: string;
  /** A larger share of errors makes the result invalid, 0…1. */
  maxErrorShare?: number;
  /** Launcher of the load generators; default: processes on this host. */
  launcher?: Launcher;
  signal?: AbortSignal;
  /** Called with lines of progress of a search. */
  onProgress?: (line: string) => void;
  /** Called every second of a load, except those of a search. */
  onLive?: (live: LiveLoad) => void;
}

export interface LiveLoad extends LoadProgress {
  /** Since the start of the load. */
  seconds: number;
  ofSeconds: number;
}

interface Measurement {
  cell: Cell;
  /** The requests in the order of their schedule, with the RTT of the cell. */
  samples: Sample[];
  statuses: StatusCounts;
  errorExamples: ErrorExamples;
  /** Share of answers in a mode of 40 ms: acknowledgements that were delayed, with Nagle's algorithm; 0 without. */
  delayedShare: number;
}

export interface LoadUrlResult extends Measurement {
  /** With `findMax`: whether the returned cell meets the condition, and the steps of the search. */
  search?: FindMaxResult & { condition: string; met: boolean };
  /** With `rampToRps`: figures of each tenth of the load. */
  ramp?: RampStep[];
}

/** Max load of one probe of a search; the found rate is then confirmed over the full duration. */
const probeUs = 3_000_000;
const probeDrainUs = 5_000_000;
/** The confirming run is longer than the probes and can fail. The rate is then reduced by this factor, this often. */
const stepDown = 0.95;
const maxStepsDown = 4;

/** @throws TopoBenchError as `Driver.run`, and `TB_LOAD_CONDITION` for a malformed condition */
export async function loadUrl(options: LoadUrlOptions): Promise<LoadUrlResult> {
  const condition = options.findMax === undefined ? undefined : parseCondition(options.findMax);
  const job = jobOf(options);
  const driver = driverNamed(condition ? 'open' : (options.driver ?? 'open'), options.launcher);
  const measure = (changes: Partial<LoadJob>): Promise<Measurement> => runOnce(driver, { ...job, ...changes }, options);
  if (condition) return searchMax(condition, job, measure, options);
  const measured = await measure(options.onLive ? { progressMs: 1000 } : {});
  return { ...measured, ...(job.rampToRps !== undefined && { ramp: rampSteps(measured.samples, job) }) };
}

const jobSettings = [
  'seed',
  'durationUs',
  'drainUs',
  'arrivals',
  'rateRps',
  'rampToRps',
  'connections',
  'inFlightCap',
  'keepAwake',
  'processes',
  'timeoutUs',
  'tls',
] as const;

function jobOf(options: LoadUrlOptions): LoadJob {
  const { body, method = body === undefined ? 'GET' : 'POST' } = options;
  const { url, headers } = plainTarget(options.url, options.headers ?? []);
  const settings: Pick<LoadUrlOptions, (typeof jobSettings)[number]> = Object.fromEntries(
    jobSettings.map((name) => [name, options[name]]),
  );
  return loadJob({
    urls: [url],
    request: { kind: 'plain', method, headers, ...(body !== undefined && { body: Buffer.from(body) }) },
    ...settings,
  });
}

async function runOnce(
  driver: Driver,
  job: LoadJob,
  { signal, maxErrorShare = 0, onLive }: LoadUrlOptions,
): Promise<Measurement> {
  const live = job.progressMs === undefined || !onLive ? undefined : new LiveLine(job, onLive);
  try {
    const { load, host } = await measureLoad({
      driver,
      job,
      signal,
      observer: {
        onStart: () => live?.start(),
        onProgress: (part) => live?.add(part),
        onLoadEnd: () => live?.stop(),
      },
    });
    return measurementOf(load, { driver, job, host, maxErrorShare });
  } finally {
    live?.stop();
  }
}

function measurementOf(
  result: LoadResult,
  { driver, ...facts }: { driver: Driver; job: LoadJob; host: HostUse | undefined; maxErrorShare: number },
): Measurement {
  const samples = samplesOfLoad(result);
  return {
    cell: cellOfLoad({ driver: driver.name, result, ...facts }),
    samples,
    statuses: statusCounts(samples),
    errorExamples: result.errorExamples ?? {},
    delayedShare: delayedShare(samples),
  };
}

/** Joins the reports of the generator processes every second. */
class LiveLine {
  readonly #job: LoadJob;
  readonly #onLive: (live: LiveLoad) => void;
  #joined = new JoinedProgress(0);
  #startMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(job: LoadJob, onLive: (live: LiveLoad) => void) {
    this.#job = job;
    this.#onLive = onLive;
  }

  start(): void {
    this.#startMs = performance.now();
    this.#joined = new JoinedProgress(this.#startMs);
    this.#timer = setInterval(() => this.#tell(), this.#job.progressMs);
  }

  add(part: PartProgress): void {
    this.#joined.add(part);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    const nowMs = performance.now();
    const seconds = (nowMs - this.#startMs) / 1e3;
    this.#onLive({ ...this.#joined.take(nowMs), seconds, ofSeconds: this.#job.durationUs / 1e6 });
  }
}

async function searchMax(
  condition: Condition,
  job: LoadJob,
  measure: (changes: Partial<LoadJob>) => Promise<Measurement>,
  { onProgress = () => undefined, maxErrorShare = 0 }: LoadUrlOptions,
): Promise<LoadUrlResult> {
  const probe = { durationUs: Math.min(job.durationUs, probeUs), drainUs: Math.min(job.drainUs, probeDrainUs) };
  // A late generator does not invalidate a probe: lag is part of the response time, so it can only fail the condition.
  const holds = (cell: Cell): boolean => meets(condition, cell) && errorShare(cell) <= maxErrorShare;
  const found = await findMax(
    async (rateRps) => {
      const { cell } = await measure({ ...probe, rateRps });
      onProgress(describeProbe(condition, cell, holds(cell)));
      return holds(cell);
    },
    { startRps: job.rateRps },
  );
  let rateRps = found.rateRps ?? found.failedRps ?? job.rateRps;
  let last = await measure({ rateRps });
  for (let step = 0; found.rateRps !== undefined && step < maxStepsDown && !holds(last.cell); step++) {
    onProgress(describeProbe(condition, last.cell, false));
    rateRps *= stepDown;
    last = await measure({ rateRps });
  }
  const met = holds(last.cell);
  const cell = met ? withHarmlessLag(condition, last.cell) : last.cell;
  onProgress(describeProbe(condition, cell, met));
  return { ...last, cell, search: { ...found, condition: condition.text, met } };
}
