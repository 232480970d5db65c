/** Finds the last role that acknowledged a lost flow, from the recent requests of all roles. */
import type { LastSeen } from '@topo-bench/core';
import type { HopClient } from '../hops/hop-client.ts';

const askMs = 1000;
// Under overload many requests are late. Unlimited searches would delay the rest.
const maxSearches = 4;

export class LostFlows {
  private searches = 0;

  constructor(
    private readonly client: HopClient,
    private readonly controlToken: string,
  ) {}

  /**
   * Name of the hop that last acknowledged the request.
   * @param own last seen by the calling role; the only source while too many searches are in flight
   */
  async lastAcknowledged(id: string, role: string, own: LastSeen | undefined): Promise<string> {
    const seen = new Map<string, LastSeen>(own ? [[role, own]] : []);
    if (this.searches < maxSearches) {
      this.searches++;
      await Promise.all(this.client.names.map((name) => this.ask(name, id, seen)));
      this.searches--;
    }
    return lastHop(seen) ?? role;
  }

  private async ask(name: string, id: string, seen: Map<string, LastSeen>): Promise<void> {
    try {
      const answer = await this.client.readControl(
        name,
        `/control/seen/${encodeURIComponent(id)}`,
        this.controlToken,
        askMs,
      );
      if (answer.status === 200) seen.set(name, JSON.parse(answer.text) as LastSeen);
    } catch {
      // The role that handed the flow to an unreachable role has recorded it too.
    }
  }
}

/** End of the chain of acknowledgements among the roles that saw the latest step of the flow. */
export function lastHop(seen: ReadonlyMap<string, LastSeen>): string | undefined {
  const furthest = Math.max(...[...seen.values()].map(({ step }) => step));
  const candidates = new Map([...seen].filter(([, { step }]) => step === furthest));
  const acknowledgers = new Set([...candidates.values()].map(({ acknowledgedBy }) => acknowledgedBy));
  // Start at a role that no other role names at this step, then follow the chain.
  let hop = [...candidates.keys()].find((name) => !acknowledgers.has(name)) ?? candidates.keys().next().value;
  for (let left = candidates.size; left > 0 && hop !== undefined; left--) {
    const next = candidates.get(hop)?.acknowledgedBy;
    if (next === undefined) break;
    hop = next;
  }
  return hop;
}
