/** Estimates the time of a repetition from rates of a typical machine with two cores; the error is a factor of two. */

import type { RepetitionSize } from '@topo-bench/measured';
import { engines } from '@topo-bench/stores/engines';
import { rateOf, reads, sizeOf } from './jobs/job-size.ts';
import type { StreamTrial } from './parts.ts';
import type { StreamJobName } from './settings-schema.ts';

/** Start of the processor, warm-up, and checks of the heat maps. */
const otherSeconds = 0.7;
/** The upper limit is that of a machine this many times slower, unless the timeout ends a job earlier. */
const slowest = 4;

/** A copy is not faster than its source, nor are reads of tens of rows than this. */
const maxCopiedPerSecond = 150_000;
const maxQueriesPerSecond = 4000;
const pointsPerQuery = 12;

export function repetitionSize({ settings: { stream } }: StreamTrial): Partial<RepetitionSize> {
  if (!stream) return {};
  const { job, database, trials, trialFor, latencyFor, timeout, url, killAfter } = stream;
  const size = sizeOf(stream);
  const pacedUs = Math.min(latencyFor, (size / rateOf(stream)) * 1e6);
  const fullSpeedUs = (size / perSecond(job, engines[database].typicalPointsPerSecond)) * 1e6;
  // Its processors start first.
  const recoveryUs = killAfter === undefined || reads(job) ? 0 : 2 * killAfter + otherSeconds * 1e6;
  const durationUs = fullSpeedUs + otherSeconds * 1e6 + trials * Math.min(trialFor, fullSpeedUs) + pacedUs + recoveryUs;
  return {
    processes: url === undefined ? 2 : 1,
    hops: 0,
    rateRps: undefined,
    durationUs,
    drainUs: Math.min(timeout, (slowest - 1) * durationUs),
    warmupRequests: 0,
    warmupWindowUs: 0,
    warmupMaxUs: 0,
  };
}

function perSecond(job: StreamJobName, points: number): number {
  if (reads(job)) return Math.min(maxQueriesPerSecond, points / pointsPerQuery);
  return job === 'copy' ? Math.min(maxCopiedPerSecond, points) : points;
}
