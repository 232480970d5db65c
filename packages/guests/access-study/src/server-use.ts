/**
 * What a read took from its database server. The load watch also runs while the client checks rows, when the clock of
 * the read is stopped: its percentages are of a longer time than the duration.
 */
import type { LoadWatch } from '@topo-bench/loadgen';
import type { AccessMeasurement } from './measurement.ts';

type GroupUse = Awaited<ReturnType<LoadWatch['watchings']>>['use'][string];

/** @param durationUs of the read, without the checks */
export function serverUse(
  { cpuPercent, rssBytes, series }: GroupUse,
  durationUs: number,
): NonNullable<AccessMeasurement['server']> {
  const watchedUs = 1e3 * (series.atMs.at(-1) ?? 0);
  const cpuUs = (cpuPercent / 100) * watchedUs;
  return { cpuUs, cpuPercent: (100 * cpuUs) / durationUs, peakRssBytes: Math.max(rssBytes, ...series.rssBytes) };
}
