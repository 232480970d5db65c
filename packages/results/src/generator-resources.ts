/** Resource use of the load generator, as a field of the result. */
import type { GeneratorUse } from '@topo-bench/core';
import type { ResourceUse } from '@topo-bench/core/schema/result';

/** Sums over the generator processes, with the max of their event-loop utilizations. */
export function generatorResources(generators: readonly GeneratorUse[]): ResourceUse {
  return {
    processes: generators.length,
    cpuPercent: generators.reduce((sum, { cpuUs, windowUs }) => sum + (100 * cpuUs) / windowUs, 0),
    rssBytes: generators.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
    eventLoopUtilization: busiestGenerator(generators),
  };
}

/** Max event-loop utilization of the generator processes, 0…1. */
export function busiestGenerator(generators: readonly GeneratorUse[]): number {
  return Math.min(1, Math.max(0, ...generators.map(({ eventLoopUtilization }) => eventLoopUtilization)));
}
