/** A repetition of a routing study in a line of progress. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export function figures({ rtt: { medianUs, p95Us }, achievedRps, decisions: { wrong } }: Cell): string[] {
  return [
    `RTT median ${formatUs(medianUs)}, p95 ${formatUs(p95Us)}`,
    `${achievedRps.toFixed(1)} req/s`,
    `${wrong} wrong`,
  ];
}
