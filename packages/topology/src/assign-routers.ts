/** Which router is responsible for which services, and the node that it runs on. */
import { servicesInOrder } from './flow-order.ts';
import type { Graph } from './graph.ts';

/** A router's share of the work. */
export interface RouterShare {
  /** Index into `Graph.nodes`. */
  node: number;
  /** Indexes of services: those of the flow in its order, then alternatives. */
  services: number[];
}

/** Routers that take effect of k asked for: no more than there are services, alternatives included. */
export function effectiveRouters(routers: number, services: number): number {
  return Math.min(routers, services);
}

/**
 * Shares of `effectiveRouters` routers, in order of nodes. Only nodes with services take part, so that a node for the
 * gateway alone gets no idle router. With k up to their number, each router has a contiguous block of nodes (block
 * sizes differ by at most one, earlier ones larger) and runs on the first. With more, routers are dealt to nodes by
 * service count with the largest remainder, at least one each, and each has a contiguous run of its node's services.
 * With k = N each has one service and sits on its node.
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

/** Contiguous runs whose sizes differ by at most one, the larger ones first. */
function inRuns<T>(items: readonly T[], runs: number): T[][] {
  const base = Math.floor(items.length / runs);
  const larger = items.length % runs;
  const from = (run: number): number => run * base + Math.min(run, larger);
  return Array.from({ length: runs }, (_, run) => items.slice(from(run), from(run + 1)));
}

/**
 * Routers per node: one each, then one after the other to the node that is furthest below its exact share. That is
 * the largest-remainder method, but for the one that every node has.
 */
function deal(routers: number, services: readonly number[]): number[] {
  const total = services.reduce((a, b) => a + b, 0);
  const dealt = services.map(() => 1);
  // Compared as whole numbers (times `total`), so that equal remainders are equal and the earlier node goes first.
  const lack = (i: number): number => routers * services[i]! - dealt[i]! * total;
  for (let left = routers - services.length; left > 0; left--) {
    const open = services.map((_, i) => i).filter((i) => dealt[i]! < services[i]!);
    const neediest = open.reduce((best, i) => (lack(i) > lack(best) ? i : best));
    dealt[neediest]!++;
  }
  return dealt;
}
