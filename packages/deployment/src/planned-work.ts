/**
 * Planned work of the roles for one request that every rule allows: messages and rules. It scales their CPU time.
 * Replicas share the work of their point equally, gateways by the origins of requests.
 */
import { partitionRules } from '@topo-bench/rule-engine';
import { type Graph, gatewayShares, targetFacts } from '@topo-bench/topology';
import { type DeploymentPlan, type RolePlan, replicasOfPoint } from './deployment-plan.ts';
import { type Visitor, walkFlow } from './walk-flow.ts';

export interface RoleWork {
  name: string;
  kind: RolePlan['kind'];
  /** Messages that it sends or receives, that of the client included. */
  messages: number;
  /** Rules that apply to the steps which it decides; 0 for roles that decide nothing. */
  rules: number;
}

/** One per role, in the order of the plan. */
export function plannedWork(graph: Graph, plan: DeploymentPlan): RoleWork[] {
  const work = new Map(
    plan.roles.map(({ name, kind }): [string, RoleWork] => [name, { name, kind, messages: 0, rules: 0 }]),
  );
  const add = (name: string, messages: number, rules: number): void => {
    const names = replicasOfPoint(plan, name);
    for (const role of names.flatMap((one) => work.get(one) ?? [])) {
      role.messages += messages / names.length;
      role.rules += rules / names.length;
    }
  };
  const shares = gatewayShares(graph);
  for (const [at, { name: gateway }] of graph.gateways.entries()) {
    const share = shares[at] as number;
    add(gateway, share, 0);
    const visitor: Visitor = {
      hop: ({ from, to }) => {
        add(from, share, 0);
        if (to !== from) add(to, share, 0);
      },
      step: ({ executor, service }) => {
        if (work.get(executor)?.kind === 'service') return;
        add(executor, 0, share * partitionRules(graph.rules, [targetFacts(graph, service)]).rules.length);
      },
    };
    walkFlow(graph, plan.executorOf, visitor, gateway);
  }
  return [...work.values()];
}
