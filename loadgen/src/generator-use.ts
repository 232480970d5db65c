/** What the generator itself used during a load, as it stands in the result. */
import type { ResourceUse } from '@topo-bench/core/schema/result';
import type { LoadResult } from './load-result.ts';

/** Sums over the generator processes; the event loop's utilization is that of the busiest. */
export function generatorUse({ generators }: LoadResult): ResourceUse {
  return {
    processes: generators.length,
    cpuPercent: generators.reduce((sum, { cpuUs, windowUs }) => sum + (100 * cpuUs) / windowUs, 0),
    rssBytes: generators.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    eventLoopUtilization: Math.min(1, Math.max(0, ...generators.map(({ eventLoopUtilization }) => eventLoopUtilization))),
  };
}
