/** Planned hops of a request and the links that it crosses, when every rule allows it. */
import type { Graph, LinkDelay } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';
import { type Hop, type Visitor, walkFlow } from './walk-flow.ts';

export interface PlannedHops {
  /** Number of messages. Nested style has no reports: outcomes return on the calls. */
  perRequest: number;
  /** Messages between roles on different nodes. */
  betweenNodes: number;
}

/** A link that a request crosses: indexes of nodes in the direction of the message. */
export interface CrossedLink extends LinkDelay {
  from: number;
  to: number;
  /** Crossings per request. */
  times: number;
}

/**
 * Hops of a request that every rule allows. Chain of N, forward style: none N + 1, central entity N + 2, N routers and
 * sidecars 2N + 1.
 * @param gateway at which it enters; the number of messages is the same for all
 */
export function plannedHops(graph: Graph, plan: DeploymentPlan, gateway = graph.gateways[0].name): PlannedHops {
  const hops = nodePairs(graph, plan, gateway);
  return { perRequest: hops.length, betweenNodes: hops.filter(({ from, to }) => from !== to).length };
}

/** The links with added delay on the path of such a request, in order of first use. All branches of a group count. */
export function pathLinks(graph: Graph, plan: DeploymentPlan, gateway = graph.gateways[0].name): CrossedLink[] {
  const crossed = new Map<string, CrossedLink>();
  for (const { from, to } of nodePairs(graph, plan, gateway)) {
    const delay = graph.links[from]?.[to];
    if (!delay) continue;
    const link = crossed.get(`${from}/${to}`) ?? { from, to, ...delay, times: 0 };
    crossed.set(`${from}/${to}`, { ...link, times: link.times + 1 });
  }
  return [...crossed.values()];
}

/**
 * Time in µs that the links alone take a request that every rule allows, at least: each message, and the answer of each
 * call of a service, waits for the delay of its link less the jitter. Branches of a fork run at the same time; a flow
 * with one has no such sum and gets 0. Of several gateways the one with the shortest links counts.
 */
export function linksAloneUs(graph: Graph, plan: DeploymentPlan): number {
  if (graph.flow.instructions.some(({ kind }) => kind === 'fork')) return 0;
  return Math.min(...graph.gateways.map(({ name }) => linksFromUs(graph, plan, name)));
}

function linksFromUs(graph: Graph, plan: DeploymentPlan, gateway: string): number {
  const nodeOf = new Map(plan.roles.map(({ name, node }) => [name, node]));
  let us = 0;
  const visitor: Visitor = {
    hop({ from, to, kind }) {
      const delay = graph.links[nodeOf.get(from)!]?.[nodeOf.get(to)!];
      if (delay) us += (delay.delayUs - delay.jitterUs) * (kind === 'call' ? 2 : 1);
    },
  };
  walkFlow(graph, plan.executorOf, visitor, gateway);
  return us;
}

function nodePairs(graph: Graph, plan: DeploymentPlan, gateway: string): { from: number; to: number }[] {
  const nodeOf = new Map(plan.roles.map(({ name, node }) => [name, node]));
  const hops: Hop[] = [];
  walkFlow(graph, plan.executorOf, { hop: (hop) => hops.push(hop) }, gateway);
  return hops.map(({ from, to }) => ({ from: nodeOf.get(from)!, to: nodeOf.get(to)! }));
}
