/** The work of a service on a request: its drawn service time, as CPU time or as a wait. */
import type { GraphService } from '@topo-bench/core';
import { serviceTimeUs } from '@topo-bench/workload';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { DeadlineQueue } from '../hops/deadline-queue.ts';
import { burnCpu } from './burn-cpu.ts';

export class ServiceWork {
  constructor(
    private readonly service: Pick<GraphService, 'name' | 'work'>,
    private readonly seed: number,
    private readonly spans: SpanRecorder,
    private readonly waits: DeadlineQueue,
  ) {}

  /** A request takes the same time at the same service in every architecture. */
  async run(requestId: string): Promise<void> {
    const { name, work } = this.service;
    const startUs = this.spans.start(requestId);
    const us = serviceTimeUs(work, this.seed, requestId, name);
    if (work.kind === 'cpu') burnCpu(us);
    else if (us > 0) await this.waits.sleep(us);
    this.spans.end(startUs, requestId, 'work', name);
  }
}
