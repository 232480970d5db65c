/** Network delay between nodes where the machine has none: whoever sends over a link, a request or its answer, waits first. */
import type { Clock } from '@topo-bench/core/clock';
import { hash32 } from '@topo-bench/core/random';
import type { RoleGraph } from '@topo-bench/core/role-config';
import { PreciseSleep } from './precise-sleep.ts';

export class LinkDelays {
  private readonly precise: PreciseSleep;

  constructor(
    private readonly links: RoleGraph['links'],
    private readonly node: number,
    private readonly seed: number,
    clock: Clock,
  ) {
    this.precise = new PreciseSleep(clock);
  }

  /**
   * Delay in µs to that node, 0 where there is no link. Jitter is uniform around the delay and a function of (seed, request, hop).
   * @param hop tells the hops of a request apart
   */
  delayUs(toNode: number, requestId: string, hop: number): number {
    const link = this.links[this.node]?.[toNode];
    if (!link) return 0;
    if (link.jitterUs === 0) return link.delayUs;
    const uniform = hash32(`${this.seed}/link/${requestId}/${hop}/${this.node}/${toNode}`) / 2 ** 32;
    return Math.max(0, link.delayUs + (2 * uniform - 1) * link.jitterUs);
  }

  sleep(us: number): Promise<void> {
    return this.precise.sleep(us);
  }
}
