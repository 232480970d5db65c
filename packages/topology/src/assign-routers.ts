/** Assigns services to routers, and routers to nodes. */
import { servicesInOrder } from './flow-order.ts';
import type { Graph } from './graph.ts';

/** A router's share of the work. */
export interface RouterShare {
  /** Index into `Graph.nodes`. */
  node: number;
  /** Indexes of services: first those of the flow in flow order, then alternatives. */
  services: number[];
}

/** Actual number of routers for a requested k: at most the number of services, alternatives included. */
export function effectiveRouters(routers: number, services: number): number {
  return Math.min(routers, services);
}

/**
 * Shares of `effectiveRouters` routers, in order of nodes. Only nodes with services take part: a node with only the
 * gateway gets no idle router.
 * With k at most the number of these nodes, each router has a contiguous block of nodes. It runs on the first node of
 * the block. Block sizes differ by at most one; earlier blocks are larger.
 * With more routers, nodes get routers in proportion to their services by the largest remainder, at least one each.
 * Each router has a contiguous run of its node's services. With k = N each router has one service and is on its node.
 */
export function assignRouters(graph: Graph, routers: number): RouterShare[] {
  const order = servicesInOrder(graph);
  const byNode = graph.nodes
    .map(({ index }) => ({ node: index, services: order.filter((service) => graph.services[service]!.node === index) }))
    .filter(({ services }) => services.length > 0);
  const count = effectiveRouters(routers, order.length);
  if (count <= byNode.length) {
    return inRuns(byNode, count).map((block) => ({
      node: block[0]!.node,
      services: block.flatMap(({ services }) => services),
    }));
  }
  const dealt = deal(
    count,
    byNode.map(({ services }) => services.length),
  );
  return byNode.flatMap(({ node, services }, i) => inRuns(services, dealt[i]!).map((run) => ({ node, services: run })));
}

/** Contiguous runs whose sizes differ by at most one; larger runs come first. */
function inRuns<T>(items: readonly T[], runs: number): T[][] {
  const base = Math.floor(items.length / runs);
  const larger = items.length % runs;
  const from = (run: number): number => run * base + Math.min(run, larger);
  return Array.from({ length: runs }, (_, run) => items.slice(from(run), from(run + 1)));
}

/**
 * Routers per node: one each, then one at a time to the node furthest below its exact share. This is the
 * largest-remainder method with a minimum of one.
 */
function deal(routers: number, services: readonly number[]): number[] {
  const total = services.reduce((a, b) => a + b, 0);
  const dealt = services.map(() => 1);
  // Integer comparison (scaled by `total`): equal remainders are exactly equal, and the earlier node comes first.
  const lack = (i: number): number => routers * services[i]! - dealt[i]! * total;
  for (let left = routers - services.length; left > 0; left--) {
    const open = services.map((_, i) => i).filter((i) => dealt[i]! < services[i]!);
    const neediest = open.reduce((best, i) => (lack(i) > lack(best) ? i : best));
    dealt[neediest]!++;
  }
  return dealt;
}
