/**
 * Simulated network delay of calls for items. Their sender waits before it sends, for at least the delay drawn for this
 * crossing. The machine of a role states the delays of flows.
 */
import type { DeploymentGraph } from '@topo-bench/core';
import { linkDelayUs } from '@topo-bench/workload';
import type { DeadlineQueue } from './deadline-queue.ts';

export class LinkDelays {
  constructor(
    private readonly links: DeploymentGraph['links'],
    private readonly node: number,
    private readonly seed: number,
    private readonly waits: DeadlineQueue,
  ) {}

  /**
   * Delay in µs to a node; 0 without a link.
   * @param hop distinguishes the hops of a request
   */
  delayUs(toNode: number, requestId: string, hop: number): number {
    const link = this.links[this.node]?.[toNode];
    return link ? linkDelayUs(link, this.seed, { requestId, hop, fromNode: this.node, toNode }) : 0;
  }

  /** Waits for at least `us`. */
  sleep(us: number): Promise<void> {
    return this.waits.sleep(us);
  }
}
