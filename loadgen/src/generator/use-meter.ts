/** Measures the generator's own resource use during the load: a generator without spare CPU measures itself. */
import { performance } from 'node:perf_hooks';
import type { GeneratorUse, ProcessIntervals } from '@topo-bench/core';

const intervalMs = 250;

/** Starts measuring with the load; call the returned function at its end. */
export function startUseMeter(): () => GeneratorUse {
  const endIntervals = startIntervals();
  const cpuAtStart = process.cpuUsage();
  const loopAtStart = performance.eventLoopUtilization();
  const startMs = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(cpuAtStart);
    const intervals = endIntervals();
    return {
      windowUs: (performance.now() - startMs) * 1e3,
      cpuUs: user + system,
      eventLoopUtilization: performance.eventLoopUtilization(loopAtStart).utilization,
      rssBytes: process.memoryUsage.rss(),
      intervals,
    };
  };
}

/** Two readings four times a second: a finer clock would compete with the pacer. */
function startIntervals(): () => ProcessIntervals {
  const intervals: ProcessIntervals = { startUs: 0, endUs: [], cpuUs: [], busyUs: [] };
  const startMs = performance.now();
  let cpu = process.cpuUsage();
  let busyMs = performance.eventLoopUtilization().active;
  const end = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    const { active } = performance.eventLoopUtilization();
    intervals.endUs.push(Math.round((performance.now() - startMs) * 1e3));
    intervals.cpuUs.push(user + system);
    intervals.busyUs.push(Math.round((active - busyMs) * 1e3));
    cpu = process.cpuUsage();
    busyMs = active;
  };
  const timer = setInterval(end, intervalMs).unref();
  return () => {
    clearInterval(timer);
    end();
    return intervals;
  };
}
