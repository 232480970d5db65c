/**
 * The raw samples of a load as columns: a row per request, in the order of `index`. Ten thousand objects would cost
 * garbage.
 */

const refusedStatus = 451;

/** Times are µs since the start of the load; NaN marks a missing event (0 in `status`). */
export interface Samples {
  /** Place in the schedule (open) or order of sending (closed). The request's content is a function of it. */
  index: Uint32Array;
  /** Intended send time of the arrival process. The closed model has none: equal to `sentUs`. */
  intendedUs: Float64Array;
  /** NaN: never sent. */
  sentUs: Float64Array;
  /** Time of the last byte of the response. NaN: no response. */
  doneUs: Float64Array;
  /** Round-trip time that the gateway reported in `x-topo-rtt-us`. */
  rttUs: Float64Array;
  /** HTTP status. */
  status: Uint16Array;
  /** Index into `errorKinds`. */
  error: Uint8Array;
}

/** Columns for `rows` requests, all empty. */
export function emptySamples(rows: number): Samples {
  const times = (): Float64Array => new Float64Array(rows).fill(Number.NaN);
  return {
    index: new Uint32Array(rows),
    intendedUs: times(),
    sentUs: times(),
    doneUs: times(),
    rttUs: times(),
    status: new Uint16Array(rows),
    error: new Uint8Array(rows),
  };
}

/** Copies row `from` of `source` to row `to` of `target`. */
export function copyRow(source: Samples, from: number, target: Samples, to: number): void {
  for (const column of Object.keys(source) as (keyof Samples)[]) target[column][to] = source[column][from] as number;
}

/** Copies the first `rows` rows of larger columns; missing rows are empty. */
export function resized(samples: Samples, rows: number): Samples {
  const result = emptySamples(rows);
  const kept = Math.min(rows, samples.index.length);
  for (const column of Object.keys(samples) as (keyof Samples)[]) result[column].set(samples[column].subarray(0, kept));
  return result;
}

/** Sent, and neither answered nor failed at the end of the drain. */
export function isUnfinished(samples: Samples, row: number): boolean {
  return !Number.isNaN(samples.sentUs[row]) && Number.isNaN(samples.doneUs[row]) && samples.error[row] === 0;
}

/** Outcome of a request by status and times: 451 is a refusal by a rule, any other status from 400 on an error. */
export function outcomeOf(samples: Samples, row: number): 'completed' | 'refused' | 'error' | 'unfinished' {
  if (isUnfinished(samples, row)) return 'unfinished';
  const status = samples.status[row] as number;
  if (samples.error[row] !== 0 || status === 0) return 'error';
  if (status === refusedStatus) return 'refused';
  return isError(status) ? 'error' : 'completed';
}

/** Whether an answer with this status is an error; a refusal by a rule is none. */
export function isError(status: number): boolean {
  return status >= 400 && status !== refusedStatus;
}

/** Response time in µs, from the *intended* send time; +∞ without a response before the end of the drain. */
export function responseTimeUs(samples: Samples, row: number): number {
  const doneUs = samples.doneUs[row] as number;
  return Number.isNaN(doneUs) ? Number.POSITIVE_INFINITY : doneUs - (samples.intendedUs[row] as number);
}

/** Scheduler lag in µs of every request that was sent. */
export function schedulerLagsUs(samples: Samples): Float64Array {
  return samples.sentUs
    .map((sentUs, row) => sentUs - (samples.intendedUs[row] as number))
    .filter((lag) => !Number.isNaN(lag));
}
