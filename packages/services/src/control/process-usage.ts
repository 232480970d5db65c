/**
 * CPU time, garbage collections and event loop use of this process since the last reset, or since its start. Nothing is
 * read before the first reset: loading `node:perf_hooks` takes a millisecond, and a hundred roles start together.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { RoleStats } from '@topo-bench/core';
import { GarbageCollections } from './garbage-collections.ts';

export class ProcessUsage {
  private cpu: NodeJS.CpuUsage | undefined;
  private loop: EventLoopUtilization | undefined;
  private turns = 0;
  private readonly garbage = new GarbageCollections();

  reset(): void {
    this.cpu = process.cpuUsage();
    this.loop = performance.eventLoopUtilization();
    this.turns = loopTurns() ?? 0;
    this.garbage.reset();
  }

  /** User and system time in µs. */
  get cpuUs(): number {
    const { user, system } = process.cpuUsage(this.cpu);
    return user + system;
  }

  /** 0…1. */
  get eventLoopUtilization(): number {
    return performance.eventLoopUtilization(this.loop).utilization;
  }

  /** Undefined where Node.js does not count turns. */
  get eventLoop(): RoleStats['eventLoop'] {
    const turns = loopTurns();
    if (turns === undefined) return undefined;
    return { turns: turns - this.turns, idleUs: performance.eventLoopUtilization(this.loop).idle * 1e3 };
  }

  /** Undefined before the first reset. */
  get collections(): RoleStats['collections'] {
    return this.garbage.pauses;
  }

  close(): void {
    this.garbage.close();
  }
}

/** Available since Node.js 22.8. */
function loopTurns(): number | undefined {
  const { uvMetricsInfo } = performance.nodeTiming as Partial<typeof performance.nodeTiming>;
  return uvMetricsInfo?.loopCount;
}
