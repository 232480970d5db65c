/**
 * CPU time, garbage collections, event loop use and timeline of this process since the last reset, or since its start.
 * Nothing is read before the first reset: loading `node:perf_hooks` takes a millisecond, and a hundred roles start
 * together.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { ProcessTimeline, RoleStats } from '@topo-bench/core';
import { findCgroup, TimelineRecorder } from '@topo-bench/host';
import { GarbageCollections } from './garbage-collections.ts';

export class ProcessUsage {
  private cpuAtReset: NodeJS.CpuUsage | undefined;
  private loop: EventLoopUtilization | undefined;
  private turns = 0;
  private timeline: TimelineRecorder | undefined;
  private readonly garbage = new GarbageCollections((...pause) => this.timeline?.addPause(...pause));

  reset(): void {
    this.cpuAtReset = process.cpuUsage();
    this.loop = performance.eventLoopUtilization();
    this.turns = loopTurns() ?? 0;
    this.garbage.reset();
    this.timeline ??= new TimelineRecorder({ throttledUs: readThrottledUs() });
    this.timeline.restart();
  }

  /** User and system time, and the latter alone. */
  get cpu(): { cpuUs: number; systemUs: number } {
    const { user, system } = process.cpuUsage(this.cpuAtReset);
    return { cpuUs: user + system, systemUs: system };
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

  /** Call for every request: what happens is recorded while there is work. */
  active(): void {
    this.timeline?.active();
  }

  /** What happened when, since the last reset. Undefined before the first one. */
  readTimeline(): ProcessTimeline | undefined {
    return this.timeline?.read();
  }

  close(): void {
    this.garbage.close();
    this.timeline?.close();
  }
}

/** Available since Node.js 22.8. */
function loopTurns(): number | undefined {
  const { uvMetricsInfo } = performance.nodeTiming as Partial<typeof performance.nodeTiming>;
  return uvMetricsInfo?.loopCount;
}

/** Undefined without a limit on CPU time, or where the system does not report its effect. */
function readThrottledUs(): (() => number) | undefined {
  const group = findCgroup('self');
  if (group?.limits().cpus === undefined || group.usage().throttling === undefined) return undefined;
  return () => group.usage().throttling?.throttledUs ?? 0;
}
