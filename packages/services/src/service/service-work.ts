/** The work of a service on a request, as CPU time or as a wait. */
import type { GraphService, SpanPlace } from '@topo-bench/core';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { DeadlineQueue } from '../hops/deadline-queue.ts';
import { burnCpu } from './burn-cpu.ts';

export class ServiceWork {
  constructor(
    private readonly service: Pick<GraphService, 'name' | 'work'>,
    private readonly spans: SpanRecorder,
    private readonly waits: DeadlineQueue,
  ) {}

  /**
   * @param us drawn service time
   * @param place of its span, for a traced request
   */
  async run(requestId: string, us: number, place: () => SpanPlace): Promise<void> {
    const { name, work } = this.service;
    const startUs = this.spans.start(requestId);
    if (work.kind === 'cpu') burnCpu(us);
    else if (us > 0) await this.waits.sleep(us);
    if (startUs !== undefined) this.spans.end(startUs, requestId, 'work', name, place());
  }
}
