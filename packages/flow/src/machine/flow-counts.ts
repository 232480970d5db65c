/** Counts that a machine keeps up to date. Roles report them. */
import type { Effect } from '@topo-bench/core/schema/rules';

export interface FlowCounts {
  served: number;
  inFlight: number;
  /** Reports of requests or branches that had already ended. */
  ignoredReports: number;
  decisions: Record<Effect, number>;
  /** Called when a service of the flow begins to work on a request, which it should once. */
  works?(id: string): void;
}

/** Counts of a role that has served nothing. */
export function noCounts(): FlowCounts {
  return { served: 0, inFlight: 0, ignoredReports: 0, decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 } };
}
