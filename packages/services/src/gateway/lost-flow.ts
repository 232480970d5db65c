/** Finds where a flow that never ended was last acknowledged, by asking all roles what they remember of it. */
import type { LastSeen } from '@topo-bench/core/control';
import type { HopClient } from '../hops/hop-client.ts';

const askMs = 1000;
// When everything is late, asking everyone about every request would make it later.
const maxSearches = 4;

export class LostFlows {
  private searches = 0;

  constructor(
    private readonly client: HopClient,
    private readonly controlToken: string,
  ) {}

  /**
   * Name of the hop that last acknowledged the request.
   * @param own what the asking role itself remembers; all there is to go by while too many searches are under way
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
      const answer = await this.client.readControl(name, `/control/seen/${encodeURIComponent(id)}`, this.controlToken, askMs);
      if (answer.status === 200) seen.set(name, JSON.parse(answer.text) as LastSeen);
    } catch {
      // A role that is down remembers nothing; the one that handed the flow to it does.
    }
  }
}

/** Of the roles that saw the flow furthest on, the end of the chain of acknowledgements. */
export function lastHop(seen: ReadonlyMap<string, LastSeen>): string | undefined {
  const furthest = Math.max(...[...seen.values()].map(({ step }) => step));
  const candidates = new Map([...seen].filter(([, { step }]) => step === furthest));
  const acknowledgers = new Set([...candidates.values()].map(({ acknowledgedBy }) => acknowledgedBy));
  // Start at a role that no other acknowledges at this step, and follow.
  let hop = [...candidates.keys()].find((name) => !acknowledgers.has(name)) ?? candidates.keys().next().value;
  for (let left = candidates.size; left > 0 && hop !== undefined; left--) {
    const next = candidates.get(hop)?.acknowledgedBy;
    if (next === undefined) break;
    hop = next;
  }
  return hop;
}
