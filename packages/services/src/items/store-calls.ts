/**
 * Calls from an enforcement point to the service that stores the items: over the link between their nodes, with the
 * service's token.
 */
import { randomUUID } from 'node:crypto';
import type { GuardedItems } from '@topo-bench/core';
import { HopFailure } from '@topo-bench/flow';
import type { FullConfig } from '../full-config.ts';
import type { HopAnswer } from '../hops/hop-call.ts';
import type { HopClient } from '../hops/hop-client.ts';
import type { LinkDelays } from '../hops/link-delay.ts';
import { HttpProblem } from '../http/http-problem.ts';

/** Added to the store's own limits, so that the service reports the reason. */
const marginMs = 1000;

export class StoreCalls {
  constructor(
    private readonly config: FullConfig,
    private readonly client: HopClient,
    private readonly links: LinkDelays,
    private readonly service: string,
    /** Limit of the store for one operation. */
    readonly timeoutMs: GuardedItems['timeoutMs'],
  ) {}

  /** @throws HttpProblem 503 when the service is unreachable; 504 when it does not answer in time */
  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<HopAnswer> {
    const { node } = this.config.peers[this.service] ?? { node: this.config.node };
    const id = randomUUID();
    await this.crossLink(node, id, 1);
    const answer = await this.call(method, path, body);
    await this.crossLink(node, id, 2);
    return answer;
  }

  private async call(method: string, path: string, body: object | undefined): Promise<HopAnswer> {
    try {
      const text = body && JSON.stringify(body);
      return await this.client.send(this.service, method, path, text, this.timeoutMs + marginMs);
    } catch (error) {
      if (!(error instanceof HopFailure)) throw error;
      if (error.kind === 'deadline') throw new HttpProblem(504, 'deadline', error.message);
      throw new HttpProblem(503, 'service-unavailable', `${this.service} is not reachable`);
    }
  }

  private async crossLink(node: number, id: string, hop: number): Promise<void> {
    const delayUs = this.links.delayUs(node, id, hop);
    if (delayUs > 0) await this.links.sleep(delayUs);
  }
}
