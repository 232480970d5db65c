/** A request of the first class of a topology, for users to try. */
import type { Graph } from '@topo-bench/topology';
import { requestGenerator } from '@topo-bench/workload';

type GeneratedRequest = ReturnType<ReturnType<typeof requestGenerator>>;

export function firstRequest(graph: Graph): GeneratedRequest {
  return requestGenerator({ classes: graph.requestClasses, seed: 1, repetition: 1 })(0);
}

/** Body of `POST /requests` at the gateway. @param maxText characters of a payload's text; longer ones are cut */
export function exampleRequest(graph: Graph, maxText = Number.POSITIVE_INFINITY): string {
  const { id: _id, payload, ...request } = firstRequest(graph);
  const cut = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.slice(0, maxText) : value);
  return JSON.stringify({ ...request, payload: JSON.parse(JSON.stringify(payload, cut)) });
}
