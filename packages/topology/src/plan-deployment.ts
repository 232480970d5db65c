/**
 * The processes of an architecture: their nodes, who decides for which service, and who sends to whom.
 *
 * An alternative stands outside the flow and has no enforcement point of its own: whoever decides the step that is
 * rerouted also decides, by the alternative's own rules, whether the alternative may have the data, and calls it. It is
 * therefore among `responsibleFor` and `peers` of every enforcement point with a rule that could reroute to it.
 */
import type { TargetFacts } from '@topo-bench/core';
import { assignRouters } from './assign-routers.ts';
import { deepFreeze } from './deep-freeze.ts';
import {
  centralEntityName,
  type DeploymentPlan,
  gatewayName,
  type RoleKind,
  type RolePlan,
  routerName,
  sidecarName,
} from './deployment.ts';
import { flowServices } from './flow-order.ts';
import type { Graph } from './graph.ts';
import { couldHold } from './static-match.ts';
import { walkRequest } from './walk-request.ts';

/** An enforcement point before its peers are known. */
interface EnforcementPoint {
  name: string;
  kind: RoleKind;
  node: number;
  services: readonly number[];
}

export function planDeployment(graph: Graph): DeploymentPlan {
  const points = enforcementPoints(graph);
  const reroutes = new Map(points.map((point) => [point.name, rerouteTargets(graph, point.services)]));
  const executorOf = executors(graph, points, reroutes);
  const peers = peersOf(graph, executorOf, reroutes);

  const role = (name: string, kind: RoleKind, node: number, responsibleFor: readonly number[]): RolePlan => {
    return { name, kind, node, responsibleFor, peers: [...(peers.get(name) ?? [])] };
  };
  return deepFreeze<DeploymentPlan>({
    roles: [
      role(gatewayName, 'gateway', graph.gatewayNode, []),
      ...points.map(({ name, kind, node, services }) => role(name, kind, node, [...services, ...reroutes.get(name)!])),
      ...graph.services.map(({ name, index, node }) => role(name, 'service', node, [index])),
    ],
    executorOf,
  });
}

function enforcementPoints(graph: Graph): EnforcementPoint[] {
  const { architecture, routers } = graph.enforcement;
  const inFlow = flowServices(graph.flow);
  switch (architecture) {
    case 'none':
      return [];
    case 'central-entity':
      return [{ name: centralEntityName, kind: 'central-entity', node: graph.gatewayNode, services: inFlow }];
    case 'dynamic-router':
      return assignRouters(graph, routers).map((share, i) => ({ name: routerName(i), kind: 'router', ...share }));
    case 'sidecar':
      return inFlow.map((index) => {
        const { name, node } = graph.services[index]!;
        return { name: sidecarName(name), kind: 'sidecar', node, services: [index] };
      });
  }
}

/** Alternatives (indexes, in file order) that a rule could reroute a step of these services to. */
function rerouteTargets(graph: Graph, services: readonly number[]): number[] {
  const rules = graph.rules.rules.filter(({ effect, to }) => effect === 'reroute' && to !== undefined);
  const reached = new Set(
    rules
      .filter(({ when }) => services.some((index) => couldHold(when, targetFacts(graph, index), graph.rules.conditions)))
      .map(({ to }) => to),
  );
  return graph.services.filter(({ name, alternative }) => alternative && reached.has(name)).map(({ index }) => index);
}

/** The static facts of a service. */
export function targetFacts(graph: Graph, index: number): TargetFacts {
  const { name, node, tags } = graph.services[index]!;
  const { name: nodeName, region } = graph.nodes[node]!;
  return { service: name, node: nodeName, region, tags: [...tags] };
}

/** By service: who executes its steps. An alternative that several could call names the first; one that none calls, itself. */
function executors(
  graph: Graph,
  points: readonly EnforcementPoint[],
  reroutes: ReadonlyMap<string, readonly number[]>,
): string[] {
  return graph.services.map(({ name, index }) => {
    const point =
      points.find(({ services }) => services.includes(index)) ?? points.find((one) => reroutes.get(one.name)!.includes(index));
    return point?.name ?? name;
  });
}

/** Whom each role sends data or outcomes to, by name, in order of first use. */
function peersOf(
  graph: Graph,
  executorOf: readonly string[],
  reroutes: ReadonlyMap<string, readonly number[]>,
): Map<string, Set<string>> {
  const peers = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from !== to) peers.set(from, (peers.get(from) ?? new Set()).add(to));
  };
  walkRequest(graph, executorOf, {
    hop: ({ from, to }) => add(from, to),
    // Any step may be refused or fail, and is then reported from where it happened.
    step: ({ executor, replyTo }) => {
      if (graph.enforcement.style === 'forward') add(executor, replyTo);
    },
  });
  for (const [point, alternatives] of reroutes) {
    for (const index of alternatives) add(point, graph.services[index]!.name);
  }
  return peers;
}
