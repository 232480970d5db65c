/**
 * Network delay between nodes where the machine has none. The sender of a request or of an answer waits before it sends, at
 * least as long as drawn for this crossing.
 */
import type { DeploymentGraph } from '@topo-bench/core/deployment-graph';
import { hash32 } from '@topo-bench/core/random';
import type { DeadlineQueue } from './deadline-queue.ts';

export class LinkDelays {
  constructor(
    private readonly links: DeploymentGraph['links'],
    private readonly node: number,
    private readonly seed: number,
    private readonly waits: DeadlineQueue,
  ) {}

  /**
   * Delay in µs to that node, 0 where there is no link. With jitter it is drawn uniformly from delay − jitter to
   * delay + jitter, as a function of (seed, request, hop, both nodes).
   * @param hop distinguishes the hops of a request
   */
  delayUs(toNode: number, requestId: string, hop: number): number {
    const link = this.links[this.node]?.[toNode];
    if (!link) return 0;
    if (link.jitterUs === 0) return link.delayUs;
    const uniform = hash32(`${this.seed}/link/${requestId}/${hop}/${this.node}/${toNode}`) / 2 ** 32;
    return Math.max(0, link.delayUs + (2 * uniform - 1) * link.jitterUs);
  }

  /** Waits for at least that many µs. */
  sleep(us: number): Promise<void> {
    return this.waits.sleep(us);
  }
}
