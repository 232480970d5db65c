/** What the load generator itself used during a load, as it stands in the result. */
import type { GeneratorUse } from '@topo-bench/core';
import type { ResourceUse } from '@topo-bench/core/schema/result';

/** Sums over the generator processes; the event loop's utilization is that of the busiest. */
export function generatorResources(generators: readonly GeneratorUse[]): ResourceUse {
  return {
    processes: generators.length,
    cpuPercent: generators.reduce((sum, { cpuUs, windowUs }) => sum + (100 * cpuUs) / windowUs, 0),
    rssBytes: generators.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    eventLoopUtilization: busiestGenerator(generators),
  };
}

/** 0…1 */
export function busiestGenerator(generators: readonly GeneratorUse[]): number {
  return Math.min(1, Math.max(0, ...generators.map(({ eventLoopUtilization }) => eventLoopUtilization)));
}
