/** The part of a rule set that an enforcement point receives. */
import type { RuleSet } from '@topo-bench/core';
import { partitionRules } from '@topo-bench/rule-engine';
import { enforcementArchitectures, type Graph, targetFacts } from '@topo-bench/topology';

/** A point that receives whole flows has all rules. Those of other architectures have the rules of their targets. */
export function rulesOfPoint(services: readonly number[], graph: Graph): RuleSet {
  if (enforcementArchitectures[graph.enforcement.architecture].wholeFlowsTo) return graph.rules;
  return partitionRules(
    graph.rules,
    services.map((service) => targetFacts(graph, service)),
  );
}
