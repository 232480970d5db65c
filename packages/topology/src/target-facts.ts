/** The static facts of a service in rules. */
import type { TargetFacts } from '@topo-bench/core';
import type { Graph } from './graph.ts';

/** The graph of a deployment, or the part of it that roles receive. */
interface PlacedServices {
  readonly nodes: readonly { readonly name: string; readonly region: string }[];
  readonly services: readonly { readonly name: string; readonly node: number; readonly tags: readonly string[] }[];
}

/** @param service index into `services` */
export function targetFacts({ nodes, services }: PlacedServices, service: number): TargetFacts {
  const { name, node, tags } = services[service]!;
  const { name: nodeName, region } = nodes[node]!;
  return { service: name, node: nodeName, region, tags: [...tags] };
}

/** The store of a service as a target: in its own region. @param service index into `services` */
export function storeFacts(graph: Graph, service: number): TargetFacts {
  const target = targetFacts(graph, service);
  return { ...target, region: graph.services[service]?.persistence?.region ?? target.region };
}
