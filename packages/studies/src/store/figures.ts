/** A repetition of a store study in a line of progress. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export function figures({ responseTime: { medianUs, p95Us }, outcomes, persistence }: Cell): string[] {
  const times = `response time median ${formatUs(medianUs)}, p95 ${formatUs(p95Us)}`;
  return [times, `${(persistence?.successRps ?? 0).toFixed(1)} successes/s`, `${outcomes.error} errors`];
}
