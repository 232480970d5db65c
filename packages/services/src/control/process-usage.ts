/** CPU time and event-loop utilisation of this process since the last reset. */
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

export class ProcessUsage {
  private cpu = process.cpuUsage();
  private loop: EventLoopUtilization = performance.eventLoopUtilization();

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
