/**
 * The processes of an architecture: their nodes, who decides for which service, and who sends to whom.
 *
 * Alternatives have an enforcement point like any service: a sidecar of their own, or a router by their node. A rerouted
 * step goes on at that one, which decides by the alternative's own rules, calls it, and follows the flow from there.
 */
import type { RoleKind } from '@topo-bench/core/role-config';
import { assignRouters } from '@topo-bench/topology/assign-routers';
import { deepFreeze } from '@topo-bench/topology/deep-freeze';
import { servicesInOrder } from '@topo-bench/topology/flow-order';
import type { Graph } from '@topo-bench/topology/graph';
import { centralEntityName, gatewayName, routerName, sidecarName } from '@topo-bench/topology/role-names';
import { targetFacts } from '@topo-bench/topology/target-facts';
import type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
import { couldHold } from './static-match.ts';
import { walkFlow } from './walk-flow.ts';

/** An enforcement point before its peers are known. */
interface EnforcementPoint {
  name: string;
  kind: RoleKind;
  node: number;
  services: readonly number[];
}

/** Roles in the order gateway, enforcement points, services. Peers are exact: whoever a role may send data or an outcome to. */
export function planDeployment(graph: Graph): DeploymentPlan {
  const points = enforcementPoints(graph);
  const decider = new Map(points.flatMap(({ name, services }) => services.map((index) => [index, name] as const)));
  const executorOf = graph.services.map(({ name, index }) => decider.get(index) ?? name);
  const peers = peersOf(graph, executorOf);

  const role = (name: string, kind: RoleKind, node: number, responsibleFor: readonly number[]): RolePlan => {
    return { name, kind, node, responsibleFor, peers: [...(peers.get(name) ?? [])] };
  };
  return deepFreeze<DeploymentPlan>({
    roles: [
      role(gatewayName, 'gateway', graph.gatewayNode, []),
      ...points.map(({ name, kind, node, services }) => role(name, kind, node, services)),
      ...graph.services.map(({ name, index, node, user }) => ({
        ...role(name, 'service', node, [index]),
        ...(user?.kind === 'image' && { image: user.image }),
      })),
    ],
    executorOf,
  });
}

function enforcementPoints(graph: Graph): EnforcementPoint[] {
  const { architecture, routers } = graph.enforcement;
  const services = servicesInOrder(graph);
  switch (architecture) {
    case 'none':
      return [];
    case 'central-entity':
      return [{ name: centralEntityName, kind: 'central-entity', node: graph.gatewayNode, services }];
    case 'dynamic-router':
      return assignRouters(graph, routers).map((share, i) => ({ name: routerName(i), kind: 'router', ...share }));
    case 'sidecar':
      return services.map((index) => {
        const { name, node } = graph.services[index]!;
        return { name: sidecarName(name), kind: 'sidecar', node, services: [index] };
      });
  }
}

/** Whom each role sends to, by name, in order of first use. */
function peersOf(graph: Graph, executorOf: readonly string[]): Map<string, Set<string>> {
  const peers = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from !== to) peers.set(from, (peers.get(from) ?? new Set()).add(to));
  };
  walkFlow(graph, executorOf, {
    hop: ({ from, to }) => add(from, to),
    // Any step may be refused or fail, and is then reported from where that happened.
    step: ({ executor, replyTo }) => {
      if (graph.enforcement.style === 'forward') add(executor, replyTo);
    },
    reroutes: rerouteTargets(graph),
  });
  // Items are read and written through the enforcement point, whether the flow leads to their service or not.
  for (const { name, index, persistence } of graph.services) if (persistence) add(executorOf[index]!, name);
  return peers;
}

/** By service: alternatives (indexes, in file order) that a rule could reroute its step to. */
function rerouteTargets(graph: Graph): (service: number) => readonly number[] {
  if (graph.enforcement.architecture === 'none') return () => [];
  const rules = graph.rules.rules
    .filter(({ effect }) => effect === 'reroute')
    .map(({ to, when }) => ({ to, applies: couldHold(when, graph.rules.conditions) }));
  const alternatives = graph.services.filter(({ alternative }) => alternative);
  const targets = graph.services.map(({ index }) => {
    const target = targetFacts(graph, index);
    const reached = new Set(rules.filter(({ applies }) => applies(target)).map(({ to }) => to));
    return alternatives.filter(({ name }) => reached.has(name)).map((alternative) => alternative.index);
  });
  return (service) => targets[service]!;
}
