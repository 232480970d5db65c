/** The part of a rule set that an enforcement point receives. */
import type { RuleSet } from '@topo-bench/core';
import { partitionRules } from '@topo-bench/rule-engine';
import { enforcementArchitectures, type Graph, targetFacts } from '@topo-bench/topology';

/** A point that receives whole flows has all rules. The others have the rules of their targets. */
export function rulesOfPoint(name: string, services: readonly number[], graph: Graph): RuleSet {
  if (name === enforcementArchitectures[graph.enforcement.architecture].wholeFlowsTo) return graph.rules;
  return partitionRules(
    graph.rules,
    services.map((service) => targetFacts(graph, service)),
  );
}
