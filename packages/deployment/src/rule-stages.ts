/** The messages that change the rules of a deployment, and when they cannot be changed. Runs in a browser, too. */
import { isEnforced, type RuleChange, type RuleSet } from '@topo-bench/core';
import type { Graph } from '@topo-bench/topology/graph';
import { type DeploymentPlan, ruledBy } from './deployment-plan.ts';
import { planDeployment } from './plan-deployment.ts';
import { rulesOfPoint } from './rules-of-point.ts';

/** New rules of a whole deployment. */
export interface ChangedParts {
  /** From 1, one more for each change of the deployment. */
  version: number;
  ruleIds: string[];
  /** The rules of each role that enforces, by name. */
  parts: Record<string, RuleSet>;
  /** Whether points fetch their parts from the gateway. */
  fetched: boolean;
  /** Whether gateways stamp requests. */
  stamped: boolean;
  /** Names of the gateways; points fetch their rules from the first. */
  gateways: string[];
}

/** @param graph with the new rules */
export function changedParts(graph: Graph, plan: DeploymentPlan, version: number): ChangedParts {
  const points = plan.roles.filter(({ kind }) => kind !== 'gateway' && kind !== 'service');
  return {
    version,
    ruleIds: graph.rules.rules.map(({ id }) => id),
    parts: Object.fromEntries(points.map((point) => [point.name, rulesOfPoint(ruledBy(point), graph)])),
    fetched: graph.enforcement.distribution !== 'push',
    stamped: graph.enforcement.consistency === 'versioned',
    gateways: graph.gateways.map(({ name }) => name),
  };
}

/**
 * The messages of a change in their order: all of one stage are confirmed before the next is sent. Gateways come first,
 * because they name the rules of decisions. With rules that are sent, requests are stamped when all points have them.
 * Points that fetch theirs may be behind: their requests wait. Each gateway stamps requests from its own message on:
 * until all have confirmed, requests of one gateway may have the old stamp when those of another have the new one.
 */
export function ruleMessages({
  version,
  ruleIds,
  parts,
  fetched,
  stamped,
  gateways,
}: ChangedParts): { to: string; change: RuleChange }[][] {
  const toEach = (names: readonly string[], change: RuleChange) => {
    return names.length === 0 ? [] : [names.map((to) => ({ to, change }))];
  };
  if (!fetched) {
    return [
      ...toEach(gateways, { version, ruleIds }),
      Object.entries(parts).map(([to, rules]) => ({ to, change: { version, rules } })),
      ...(stamped ? toEach(gateways, { version, stamped }) : []),
    ];
  }
  const [first, ...others] = gateways as [string, ...string[]];
  return [
    ...toEach(others, { version, ruleIds }),
    ...toEach([first], { version, ruleIds, parts, ...(stamped && { stamped }) }),
    ...(stamped ? toEach(others, { version, stamped }) : []),
  ];
}

/** As `ruleMessages`, with a last stage of the parts that enforcement points fetch themselves. */
export function ruleStages(change: ChangedParts): { to: string; change: RuleChange; isFetched: boolean }[][] {
  const sent = ruleMessages(change).map((stage) => stage.map((message) => ({ ...message, isFetched: false })));
  if (!change.fetched) return sent;
  const { version, parts } = change;
  return [...sent, Object.entries(parts).map(([to, rules]) => ({ to, change: { version, rules }, isFetched: true }))];
}

/**
 * Why the rules of a deployment cannot be changed to others while it runs; undefined if they can.
 * @param graph with the new rules
 */
export function ruleChangeObstacle(
  graph: Graph,
  { graph: first, plan }: { graph: Graph; plan: DeploymentPlan },
): { message: string; hint: string } | undefined {
  const { architecture } = first.enforcement;
  if (!isEnforced(architecture)) {
    return {
      message: `rules change, and nothing enforces them under ${architecture}`,
      hint: 'choose another architecture',
    };
  }
  const fixed = first.services.find(({ persistence, arrow }) => persistence ?? arrow);
  if (fixed) {
    const message = `rules change, and those of the items or columns of ${fixed.name} cannot`;
    return { message, hint: 'change rules of services without stores and columns' };
  }
  const known = new Map(plan.roles.map(({ name, peers }) => [name, peers]));
  for (const { name, peers } of planDeployment(graph).roles) {
    const missing = peers.find((peer) => !known.get(name)?.includes(peer));
    if (missing === undefined) continue;
    const message = `the new rules reroute from ${name} to ${missing}, which it does not reach under the first rules`;
    return { message, hint: 'start with rules that reroute there too' };
  }
  return undefined;
}
