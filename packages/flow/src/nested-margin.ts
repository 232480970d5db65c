/** How much earlier than its caller a nested hop gives up, which is how the hop that stalls gets named. */
import type { DeploymentGraph } from '@topo-bench/core/deployment-graph';
import type { RoleConfig } from '@topo-bench/core/role-config';

export interface NestedMargin {
  perHopMs: number;
  /** Over a chain of all executors: at most a quarter of a hop's deadline. */
  inAllMs: number;
}

interface MarginInput {
  graph: Pick<DeploymentGraph, 'services'>;
  deadlines: RoleConfig['deadlines'];
}

export function nestedMargin({ graph, deadlines }: MarginInput): NestedMargin {
  const executors = new Set(graph.services.map(({ executor }) => executor)).size;
  const perHopMs = Math.min(50, deadlines.hopUs / 1000 / (4 * executors));
  return { perHopMs, inAllMs: perHopMs * executors };
}
