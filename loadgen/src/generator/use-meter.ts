/** Measures the generator's own resource use during the load: a generator without spare CPU measures itself. */
import { performance } from 'node:perf_hooks';
import type { GeneratorUse } from '@topo-bench/core';

/** Starts measuring; call the returned function at the end of the load. */
export function startUseMeter(): () => GeneratorUse {
  const cpuAtStart = process.cpuUsage();
  const loopAtStart = performance.eventLoopUtilization();
  const startMs = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(cpuAtStart);
    return {
      windowUs: (performance.now() - startMs) * 1e3,
      cpuUs: user + system,
      eventLoopUtilization: performance.eventLoopUtilization(loopAtStart).utilization,
      rssBytes: process.memoryUsage.rss(),
    };
  };
}
