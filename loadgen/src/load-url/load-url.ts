/**
 * The use case behind `topo-bench load URL`: loads any user-supplied HTTP server and reports the result as one cell.
 */
import { formatUs } from '@topo-bench/core';
import type { ArrivalLaw, RequestDriverName } from '@topo-bench/core/schema/experiment';
import type { Cell } from '@topo-bench/core/schema/result';
import type { Driver } from '../driver.ts';
import { driverNamed } from '../driver-named.ts';
import { type Condition, conditionValueUs, meets, parseCondition } from '../find-max/condition.ts';
import { type FindMaxResult, findMax } from '../find-max/find-max.ts';
import { LoadWatch } from '../host/load-watch.ts';
import type { Launcher } from '../launcher/launcher.ts';
import { type LoadJob, loadJob } from '../load-job.ts';
import { cellOfLoad } from './cell-of-load.ts';

export interface LoadUrlOptions {
  url: string;
  driver?: RequestDriverName;
  arrivals?: ArrivalLaw;
  /** Offered load in req/s; with `findMax`, the rate at which the search begins. */
  rateRps?: number;
  connections?: number;
  durationUs?: number;
  drainUs?: number;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  seed?: number;
  processes?: number;
  inFlightCap?: number;
  /** Keep this host's cores from sleeping, where the system allows it; default true. */
  keepAwake?: boolean;
  timeoutUs?: number;
  /** Search the highest rate that meets this condition, e.g. `p95<50ms`. Driver `open` only. */
  findMax?: string;
  /** A larger share of errors makes the result invalid, 0…1. */
  maxErrorShare?: number;
  /** Launcher of the load generators; default: processes on this host. */
  launcher?: Launcher;
  signal?: AbortSignal;
  /** Called with lines of progress. */
  onProgress?: (line: string) => void;
}

export interface LoadUrlResult {
  cell: Cell;
  /** With `findMax`: whether the returned cell meets the condition, and the steps of the search. */
  search?: FindMaxResult & { condition: string; met: boolean };
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
  const measure = (changes: Partial<LoadJob>): Promise<Cell> => runOnce(driver, { ...job, ...changes }, options);
  return condition ? searchMax(condition, job, measure, options) : { cell: await measure({}) };
}

function jobOf({ url, method, headers = {}, body, ...options }: LoadUrlOptions): LoadJob {
  const { seed, durationUs, drainUs, arrivals, rateRps, connections, inFlightCap, keepAwake, processes, timeoutUs } =
    options;
  return loadJob({
    urls: [url],
    request: {
      kind: 'plain',
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      ...(body === undefined ? {} : { body }),
    },
    ...{ seed, durationUs, drainUs, arrivals, rateRps, connections, inFlightCap, keepAwake, processes, timeoutUs },
  });
}

async function runOnce(driver: Driver, job: LoadJob, { signal, maxErrorShare = 0 }: LoadUrlOptions): Promise<Cell> {
  const watch = new LoadWatch();
  const result = await driver.run(job, signal, { onStart: () => watch.begin(), onLoadEnd: () => watch.end() });
  const { host } = await watch.watchings();
  return cellOfLoad({ driver: driver.name, job, result, host, maxErrorShare });
}

async function searchMax(
  condition: Condition,
  job: LoadJob,
  measure: (changes: Partial<LoadJob>) => Promise<Cell>,
  { onProgress = () => undefined, maxErrorShare = 0 }: LoadUrlOptions,
): Promise<LoadUrlResult> {
  const probe = { durationUs: Math.min(job.durationUs, probeUs), drainUs: Math.min(job.drainUs, probeDrainUs) };
  // A late generator does not invalidate a probe: lag is part of the response time, so it can only fail the condition.
  const holds = (cell: Cell): boolean => meets(condition, cell) && errorShare(cell) <= maxErrorShare;
  const found = await findMax(
    async (rateRps) => {
      const cell = await measure({ ...probe, rateRps });
      onProgress(describe(condition, cell, holds(cell)));
      return holds(cell);
    },
    { startRps: job.rateRps },
  );
  let rateRps = found.rateRps ?? found.failedRps ?? job.rateRps;
  let cell = await measure({ rateRps });
  for (let step = 0; found.rateRps !== undefined && step < maxStepsDown && !holds(cell); step++) {
    onProgress(describe(condition, cell, false));
    rateRps *= stepDown;
    cell = await measure({ rateRps });
  }
  onProgress(describe(condition, cell, holds(cell)));
  return { cell, search: { ...found, condition: condition.text, met: holds(cell) } };
}

function errorShare({ outcomes: { completed, refused, error, unfinished } }: Cell): number {
  return error / (completed + refused + error + unfinished);
}

function describe(condition: Condition, cell: Cell, holds: boolean): string {
  const value = `${condition.text.split('<')[0]} ${formatUs(conditionValueUs(condition, cell))}`;
  const reasons = cell.validity.valid ? '' : ` (${cell.validity.reasons.join('; ')})`;
  return `${cell.offeredRps.toPrecision(4)} req/s: ${value} ${holds ? 'meets' : 'fails'} ${condition.text}${reasons}`;
}
