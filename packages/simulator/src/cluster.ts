/** The processors of a simulation: hosts, the host of each node, and the links between hosts. */
import { type Problem, suggestName } from '@topo-bench/core';
import type { ClusterFile } from '@topo-bench/core/schema/cluster';
import type { SourceDocument } from '@topo-bench/topology';
import type { Graph } from '@topo-bench/topology/graph';
import type { Link } from '@topo-bench/workload';

export interface Cluster {
  /** Speed relative to the machine of the calibration. */
  hosts: readonly { name: string; cores: number; speed: number }[];
  /** By node (index). */
  hostOfNode: readonly number[];
  /** Host of the generators; when left out, that of the gateway. */
  hostOfGenerators?: number;
  /** Network at [from][to], on top of the links of the topology; absent: no time passes. */
  links?: readonly (readonly Link[])[];
}

/** One host for everything: the machine of a calibration. */
export function oneHost(name: string, cores: number, graph: Graph): Cluster {
  return { hosts: [{ name, cores, speed: 1 }], hostOfNode: graph.nodes.map(() => 0) };
}

/** Every node has a host, as `clusterProblems` checks. */
export function clusterOf({ hosts, generators, network, links }: ClusterFile, { nodes }: Graph): Cluster {
  const linkOf = (from: string, to: string): Link => {
    if (from === to) return { delayUs: 0, jitterUs: 0 };
    const own = links.find(({ between }) => between.includes(from) && between.includes(to));
    const { delay: delayUs, jitter: jitterUs } = own ?? network;
    return { delayUs, jitterUs };
  };
  return {
    hosts: hosts.map(({ name, cores, speed }) => ({ name, cores, speed })),
    hostOfNode: nodes.map(({ name }) => hosts.findIndex((host) => host.nodes.includes(name))),
    ...(generators !== undefined && { hostOfGenerators: hosts.findIndex(({ name }) => name === generators) }),
    ...(hosts.length > 1 && { links: hosts.map((from) => hosts.map((to) => linkOf(from.name, to.name))) }),
  };
}

/** Nodes that the topology lacks, and nodes without a host, at their places in the file of the cluster. */
export function clusterProblems(
  { hosts }: ClusterFile,
  { name: topology, nodes }: Graph,
  locate: SourceDocument['locate'],
): Problem[] {
  const code = 'TB_SIMULATE_CLUSTER';
  const known = nodes.map(({ name }) => name);
  const unknown = hosts.flatMap((host, at) =>
    host.nodes.flatMap((node, place): Problem[] => {
      if (known.includes(node)) return [];
      const message = `the topology ${topology} has no node ${node}: expected ${known.join(', ')}`;
      return [{ ...locate(['hosts', at, 'nodes', place]), code, message, hint: suggestName(node, known, 'nodes') }];
    }),
  );
  const homeless = known.filter((node) => !hosts.some((host) => host.nodes.includes(node)));
  if (homeless.length === 0) return unknown;
  const message = `no host carries ${homeless.join(', ')} of the topology ${topology}`;
  const hint = 'add the name to the `nodes` of a host';
  return [...unknown, { ...locate(['hosts'], 'key'), code, message, hint }];
}
