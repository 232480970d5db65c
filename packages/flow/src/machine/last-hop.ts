/** The last role that acknowledged a lost flow, by what all roles have seen of it. */
import type { LastSeen } from '@topo-bench/core';

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
