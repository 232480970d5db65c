/**
 * What a plan makes of a request before anything runs: its hops, and the links it crosses, when every rule allows it.
 */
import type { Graph, LinkDelay } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';
import { type Hop, walkFlow } from './walk-flow.ts';

export interface PlannedHops {
  /** Messages in all. Nested style has no reports: outcomes unwind on the calls. */
  perRequest: number;
  /** Those whose sender and receiver stand on different nodes. */
  betweenNodes: number;
}

/** A link that a request crosses: indexes of nodes in the direction of travel. */
export interface CrossedLink extends LinkDelay {
  from: number;
  to: number;
  /** How often one request crosses it. */
  times: number;
}

/**
 * Hops of a request that every rule allows. Chain of N, forward style: none N + 1, central entity N + 2, N routers and
 * sidecars 2N + 1.
 */
export function plannedHops(graph: Graph, plan: DeploymentPlan): PlannedHops {
  const hops = nodePairs(graph, plan);
  return { perRequest: hops.length, betweenNodes: hops.filter(({ from, to }) => from !== to).length };
}

/** The links with added delay on the way of such a request, in order of first use. Branches of a group all count. */
export function pathLinks(graph: Graph, plan: DeploymentPlan): CrossedLink[] {
  const crossed = new Map<string, CrossedLink>();
  for (const { from, to } of nodePairs(graph, plan)) {
    const delay = graph.links[from]?.[to];
    if (!delay) continue;
    const link = crossed.get(`${from}/${to}`) ?? { from, to, ...delay, times: 0 };
    crossed.set(`${from}/${to}`, { ...link, times: link.times + 1 });
  }
  return [...crossed.values()];
}

function nodePairs(graph: Graph, plan: DeploymentPlan): { from: number; to: number }[] {
  const nodeOf = new Map(plan.roles.map(({ name, node }) => [name, node]));
  const hops: Hop[] = [];
  walkFlow(graph, plan.executorOf, { hop: (hop) => hops.push(hop) });
  return hops.map(({ from, to }) => ({ from: nodeOf.get(from)!, to: nodeOf.get(to)! }));
}
