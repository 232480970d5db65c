/** New rules of a deployment with the version of their rule set. */
import { createHash } from 'node:crypto';
import type { RuleSet } from '@topo-bench/core';
import type { Graph } from '@topo-bench/topology';
import type { DeploymentPlan } from './deployment-plan.ts';
import { type ChangedParts, changedParts } from './rule-stages.ts';

export interface DeploymentRuleChange extends ChangedParts {
  /** Version of the rule set, wherever it is deployed. */
  digest: string;
}

/** @param graph with the new rules */
export function ruleChange(graph: Graph, plan: DeploymentPlan, version: number): DeploymentRuleChange {
  return { ...changedParts(graph, plan, version), digest: ruleSetDigest(graph.rules) };
}

/** Version of a rule set: a digest of its canonical form, which the order of members in a file does not change. */
function ruleSetDigest(rules: RuleSet): string {
  return createHash('sha256').update(canonicalJson(rules)).digest('hex').slice(0, 16);
}

function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
