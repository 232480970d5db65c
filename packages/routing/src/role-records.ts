/** A deployment under load: its counters for the load window, and what its roles recorded over time. */
import type { RoleStats, RoleTimeline, Span, TopoBenchError } from '@topo-bench/core';
import type { LoadedSystem } from '@topo-bench/loadgen';
import { usageByKind } from '@topo-bench/measured';
import type { Deployment } from '@topo-bench/runners';

export interface WatchedRoles {
  deployment: Deployment;
  /** Deaths of roles so far; grows during use. After one, no role answers questions. */
  deaths: readonly TopoBenchError[];
}

export function loadedRoles({ deployment, deaths }: WatchedRoles): LoadedSystem<RoleStats[]> {
  return {
    usage: () => usageByKind(deployment),
    reset: () => deployment.reset(),
    stats: async () => (deaths.length > 0 ? [] : deployment.stats()),
  };
}

export interface RoleRecords {
  spans: Span[];
  timelines: RoleTimeline[];
  /** Proportional set size by name of the role, without roles that the host cannot read. */
  pssBytesOf: ReadonlyMap<string, number>;
}

/**
 * Call it after the load window, whose counters these questions would change.
 * @param traceShare share of requests whose hops are traced, 0 to 1
 */
export async function roleRecords({ deployment, deaths }: WatchedRoles, traceShare: number): Promise<RoleRecords> {
  const spans = traceShare > 0 && deaths.length === 0 ? await deployment.spans() : [];
  const timelines = deaths.length > 0 ? [] : await deployment.timelines();
  const usages = await deployment.usage({ pss: true });
  const sizes = usages.flatMap(({ name, pssBytes }) => (pssBytes === undefined ? [] : [[name, pssBytes] as const]));
  return { spans, timelines, pssBytesOf: new Map(sizes) };
}
