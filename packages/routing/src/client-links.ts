/**
 * The way of a client to its gateway and back, by the links of the topology. The load generator stands at the gateway:
 * it does not wait for this way, which is part of the response time alone.
 */
import { clusterRunner, type GatewayRequest } from '@topo-bench/core';
import { clientLink, type Graph, gatewayFor } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { linkDelayUs } from '@topo-bench/workload';

/** Hops of a request have numbers from 1. */
const hops = { forth: -1, back: -2 };
/** Clients stand on no node of the topology. */
const clientNode = -1;

/**
 * Returns the time in µs of both ways for a request; undefined without a link. Clients of the closed model wait for
 * their answers without it, and a runner with a network of its own adds no delays.
 */
export function clientLinks({
  graph,
  settings,
}: Pick<ExperimentCell, 'graph' | 'settings'>): (request: GatewayRequest) => number | undefined {
  if (settings.load.driver !== 'open' || settings.runner === clusterRunner) return () => undefined;
  const known = new Map<string, (requestId: string) => number | undefined>();
  return ({ origin, id = '' }) => {
    const own = known.get(origin) ?? linkOf(graph, origin, settings.seed);
    known.set(origin, own);
    return own(id);
  };
}

function linkOf(graph: Graph, origin: string, seed: number): (requestId: string) => number | undefined {
  const { gateways, source } = graph;
  const { node: toNode } = gatewayFor(gateways, origin);
  const to = source.topology.nodes[toNode] as (typeof source.topology.nodes)[number];
  const link = clientLink(origin, to, source.topology);
  if (!link) return () => undefined;
  const us = (requestId: string, hop: number) =>
    linkDelayUs(link, seed, { requestId, hop, fromNode: clientNode, toNode });
  return (requestId) => us(requestId, hops.forth) + us(requestId, hops.back);
}
