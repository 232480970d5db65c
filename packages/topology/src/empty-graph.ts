/** The graph of an experiment without a topology: it has no services, no flow and no rules, and deploys no roles. */
import { topologyFile } from '@topo-bench/core/schema/topology';
import { buildGraph, deepFreeze } from './build-graph.ts';
import { flowEnd, type Graph } from './graph.ts';

/** @param name of the experiment */
export function emptyGraph(name: string): Graph {
  // The defaults of the schema fill every field; the one service that it demands is left out again.
  const services = [{ name: 'none' }];
  const topology = topologyFile.parse({ apiVersion: 'topo-bench/v1', kind: 'Topology', name, services });
  return deepFreeze<Graph>({
    ...buildGraph(topology, undefined),
    services: [],
    flow: { start: flowEnd, instructions: [] },
  });
}
