/** Explains one decision of a target, as the verb `rules explain` does. */
import { type Facts, TopoBenchError } from '@topo-bench/core';
import { type Explanation, explain } from '@topo-bench/rule-engine/explain';
import { targetFacts } from '@topo-bench/topology';
import { readGraph, type Texts } from './read-topology.ts';
import type { Settings } from './settings.ts';

export interface Step {
  texts: Texts;
  settings: Settings;
  service: string;
  request: Facts['request'];
}

/** The flow is at its start: no service has been visited. */
export function explainStep({ texts, settings, service, request }: Step): Explanation {
  const { graph } = readGraph(texts, settings, 'sidecar');
  const target = graph?.services.find(({ name }) => name === service);
  if (!graph || !target)
    throw new TopoBenchError('TB_TOPOLOGY_UNKNOWN_SERVICE', `the topology has no service ${service}`);
  return explain(graph.rules, {
    request,
    target: targetFacts(graph, target.index),
    flow: { services: [], regions: [] },
  });
}
