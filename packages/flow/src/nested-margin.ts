/** How much earlier than its caller a nested hop gives up, which is how the hop that stalls gets named. */
import type { RoleConfig } from '@topo-bench/core/role-config';

export interface NestedMargin {
  perHopMs: number;
  /** Over a chain of all executors: at most a quarter of a hop's deadline. */
  inAllMs: number;
}

export function nestedMargin({ graph, deadlines }: Pick<RoleConfig, 'graph' | 'deadlines'>): NestedMargin {
  const executors = new Set(graph.services.map(({ executor }) => executor)).size;
  const perHopMs = Math.min(50, deadlines.hopUs / 1000 / (4 * executors));
  return { perHopMs, inAllMs: perHopMs * executors };
}
