/** The part of the graph that a role is told, as plain data that travels as JSON. */
import type { RoleGraph } from '@topo-bench/core/role-config';
import type { Graph } from '@topo-bench/topology/graph';
import type { DeploymentPlan } from './deployment-plan.ts';

/** A fresh copy: nothing of it is shared with the graph, which is frozen. */
export function toRoleGraph(graph: Graph, plan: DeploymentPlan): RoleGraph {
  return structuredClone<RoleGraph>({
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
    flow: {
      start: graph.flow.start,
      instructions: graph.flow.instructions.map((instruction) =>
        instruction.kind === 'step' ? { ...instruction } : { ...instruction, branches: [...instruction.branches] },
      ),
    },
    links: graph.links.map((row) => row.map((link) => link ?? null)),
    ruleIds: graph.rules.rules.map(({ id }) => id),
  });
}
