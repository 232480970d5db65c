/** The part of the graph that roles need, as plain JSON data. */
import type { DeploymentGraph } from '@topo-bench/core';
import { enforcementArchitectures, type Graph } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';
import type { Placement } from './placement.ts';

/**
 * Returns a copy that shares no data with the frozen graph.
 * @param network `real`: roles add no delay, so their graph has no links
 */
export function deploymentGraph(graph: Graph, plan: DeploymentPlan, network: Placement['network']): DeploymentGraph {
  const { wholeFlowsTo } = enforcementArchitectures[graph.enforcement.architecture];
  return structuredClone<DeploymentGraph>({
    nodes: graph.nodes.map(({ name, region }) => ({ name, region })),
    services: graph.services.map(({ index, name, node, tags, work, responseBytes, alternative, user }) => ({
      name,
      node,
      tags: [...tags],
      work,
      responseBytes,
      alternative,
      executor: plan.executorOf[index]!,
      ...(user && { userPath: user.path }),
    })),
    ...(wholeFlowsTo && { everythingTo: wholeFlowsTo }),
    ...(plan.replicas && { replicas: { spread: graph.enforcement.spread, names: mutable(plan.replicas) } }),
    ...(plan.takeover && { takeover: plan.takeover }),
    flow: {
      start: graph.flow.start,
      instructions: graph.flow.instructions.map((instruction) =>
        instruction.kind === 'step' ? { ...instruction } : { ...instruction, branches: [...instruction.branches] },
      ),
    },
    links: graph.links.map((row) => row.map((link) => (network === 'simulated' && link) || null)),
    ruleIds: graph.rules.rules.map(({ id }) => id),
  });
}

function mutable(replicas: NonNullable<DeploymentPlan['replicas']>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(replicas).map(([point, names]) => [point, [...names]]));
}
