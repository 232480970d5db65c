/** The part of the graph that roles need, as plain data that travels as JSON. */
import type { DeploymentGraph } from '@topo-bench/core/deployment-graph';
import type { Graph } from '@topo-bench/topology/graph';
import type { DeploymentPlan } from './deployment-plan.ts';

/** A fresh copy: it shares nothing with the graph, which is frozen. */
export function deploymentGraph(graph: Graph, plan: DeploymentPlan): DeploymentGraph {
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
