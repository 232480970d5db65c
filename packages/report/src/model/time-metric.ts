/** The two times of a request on the page: inside the system, and as seen by the client. */
import type { SampleTimes } from '@topo-bench/results';

export const timeMetrics = ['rtt', 'responseTime'] as const;
export type TimeMetric = (typeof timeMetrics)[number];

export const timeMetricNames: Record<TimeMetric, string> = { rtt: 'round-trip time', responseTime: 'response time' };

/** In µs for completed requests, +∞ for unfinished ones, undefined for refusals and errors. */
export function timeOf(
  { outcome, rttUs, doneUs, intendedUs, clientLinkUs }: SampleTimes,
  metric: TimeMetric,
): number | undefined {
  if (outcome === 'unfinished') return Number.POSITIVE_INFINITY;
  if (outcome !== 'completed') return undefined;
  if (metric === 'rtt') return rttUs ?? undefined;
  return doneUs === null ? undefined : doneUs - intendedUs + (clientLinkUs ?? 0);
}
