/**
 * CPU time and event-loop utilisation of this process since the last reset, or since it started. Asks for nothing before that:
 * loading the clocks of `node:perf_hooks` takes a millisecond, and a hundred roles start together.
 */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

export class ProcessUsage {
  private cpu: NodeJS.CpuUsage | undefined;
  private loop: EventLoopUtilization | undefined;

  reset(): void {
    this.cpu = process.cpuUsage();
    this.loop = performance.eventLoopUtilization();
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
}
