/**
 * The processes of an architecture: their nodes, responsibilities and peers.
 *
 * Alternatives have an enforcement point like any service: their own sidecar, or the router of their node. A rerouted
 * step continues at that point. It decides by the alternative's own rules, calls the alternative, and continues the
 * flow from there.
 *
 * The replicas of a point have its node, services and peers, and are peers of all of its callers. So has a point that
 * takes over for another one, in addition to its own.
 */
import { architectureTable, isEnforced, type RoleKind } from '@topo-bench/core';
import type { Limits } from '@topo-bench/core/schema/limits';
import { partitionRules } from '@topo-bench/rule-engine';
import {
  deepFreeze,
  type EnforcementPoint,
  enforcementArchitectures,
  type Graph,
  replicaNames,
  replicasOf,
  targetFacts,
} from '@topo-bench/topology';
import type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
import { type Visitor, walkFlow } from './walk-flow.ts';

/** The plan of a graph without services. */
const noRoles: DeploymentPlan = deepFreeze({ roles: [], executorOf: [] });

/**
 * Roles in the order gateways, enforcement points, services. Peers are exact: the roles that may receive data or an
 * outcome.
 */
export function planDeployment(graph: Graph): DeploymentPlan {
  if (graph.services.length === 0) return noRoles;
  const { architecture } = graph.enforcement;
  const points = enforcementArchitectures[architecture].points(graph);
  const pointKind = architectureTable[architecture].role;
  const decider = new Map(points.flatMap(({ name, services }) => services.map((index) => [index, name] as const)));
  const executorOf = graph.services.map(({ name, index }) => decider.get(index) ?? name);
  const count = replicasOf(graph.enforcement);
  const replicas = Object.fromEntries(points.map(({ name }) => [name, replicaNames(name, count)]));
  const takeover = takeoverOf(graph, points);
  const servicesOf = new Map(points.map(({ name, services }) => [name, services]));
  const peers = withTakeover(peersOf(graph, executorOf), takeover);

  const role = (
    name: string,
    kind: RoleKind,
    node: number,
    responsibleFor: readonly number[],
    limits: Limits | undefined,
    point = name,
  ): RolePlan => {
    const to = [...(peers.get(point) ?? [])].flatMap((peer) => replicas[peer] ?? [peer]);
    const others = Object.keys(takeover).filter((other) => other !== point && takeover[other] === point);
    const takesOver = others.flatMap((other) => servicesOf.get(other) ?? []);
    return {
      ...{ name, kind, node, responsibleFor, peers: to },
      ...(takesOver.length > 0 && { takesOver }),
      ...(limits && { limits: { ...limits } }),
    };
  };
  return deepFreeze<DeploymentPlan>({
    roles: [
      ...graph.gateways.map(({ name, node }) => role(name, 'gateway', node, [], graph.gateway.limits)),
      ...points.flatMap(({ name: point, node, services }) =>
        replicaNames(point, count).map((name) =>
          role(name, pointKind as RoleKind, node, services, graph.enforcement.limits, point),
        ),
      ),
      ...graph.services.map(({ name, index, node, user, limits }) => ({
        ...role(name, 'service', node, [index], limits),
        ...(user?.kind === 'image' && { userImage: user }),
        ...(user?.kind === 'url' && { userUrl: user.origin }),
        ...(user?.kind === 'command' && { userCommand: user.command }),
      })),
    ],
    executorOf,
    ...(count > 1 && { replicas }),
    ...(Object.keys(takeover).length > 0 && { takeover }),
  });
}

/** Empty without takeover. */
function takeoverOf({ enforcement }: Graph, points: readonly EnforcementPoint[]): Record<string, string> {
  const { takenOverBy } = enforcementArchitectures[enforcement.architecture];
  if (!enforcement.resilience?.takeover || !takenOverBy) return {};
  return Object.fromEntries(points.map(({ name }, i) => [name, points[takenOverBy(i, points.length)]!.name]));
}

/** Each message may leave from, or reach, the point that takes over; so may the report of a branch to its fork. */
function withTakeover(
  peers: ReadonlyMap<string, ReadonlySet<string>>,
  takeover: Readonly<Record<string, string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const both = (point: string): string[] => [point, takeover[point] ?? point];
  const all = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from !== to) all.set(from, (all.get(from) ?? new Set()).add(to));
  };
  const addAll = (from: string, to: string): void => {
    for (const sender of both(from)) for (const receiver of both(to)) add(sender, receiver);
  };
  for (const [from, receivers] of peers) for (const to of receivers) addAll(from, to);
  for (const point of Object.keys(takeover)) addAll(point, point);
  return all;
}

/** The peers of each role, by name, in order of first use. */
function peersOf(graph: Graph, executorOf: readonly string[]): Map<string, Set<string>> {
  const peers = new Map<string, Set<string>>();
  const add = (from: string, to: string): void => {
    if (from !== to) peers.set(from, (peers.get(from) ?? new Set()).add(to));
  };
  const reroutes = rerouteTargets(graph);
  for (const { name } of graph.gateways) {
    const visitor: Visitor = {
      hop: ({ from, to }) => add(from, to),
      // Any step may be refused or fail. The role where that happens reports it.
      step: ({ executor, replyTo }) => {
        if (graph.enforcement.style === 'forward') add(executor, replyTo);
      },
      reroutes,
    };
    walkFlow(graph, executorOf, visitor, name);
  }
  // Items are read and written through the enforcement point, even when their service is not in the flow.
  for (const { name, index, persistence } of graph.services) if (persistence) add(executorOf[index]!, name);
  return peers;
}

/** By service: alternatives (indexes, in file order) that a rule could reroute its step to. */
function rerouteTargets(graph: Graph): (service: number) => readonly number[] {
  if (!isEnforced(graph.enforcement.architecture)) return () => [];
  const reroutes = { ...graph.rules, rules: graph.rules.rules.filter(({ effect }) => effect === 'reroute') };
  const alternatives = graph.services.filter(({ alternative }) => alternative);
  const targets = graph.services.map(({ index }) => {
    const reached = new Set(partitionRules(reroutes, [targetFacts(graph, index)]).rules.map(({ to }) => to));
    return alternatives.filter(({ name }) => reached.has(name)).map((alternative) => alternative.index);
  });
  return (service) => targets[service]!;
}
