/** A repetition of a transfer study in a line of progress. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export function figures({ outcomes, flight }: Cell): string[] {
  const { megabytesPerSecond = 0, rowsPerSecond = 0, durationUs = Number.NaN } = flight ?? {};
  const speed = `${megabytesPerSecond.toFixed(1)} MB/s, ${(rowsPerSecond / 1e6).toFixed(2)} M rows/s`;
  return [speed, formatUs(durationUs), `${outcomes.error} errors`];
}
