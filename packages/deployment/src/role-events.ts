/**
 * The events of an experiment on the roles of one deployment: targets resolved to names of roles, in the order of the
 * experiment. A target is a role, a kind of role, all enforcement points, the enforcement point of a service, a node or
 * a region, in this order where names are equal.
 */
import type { CrashLaw, ExperimentEvent } from '@topo-bench/core/schema/experiment';
import type { Graph } from '@topo-bench/topology';
import { type DeploymentPlan, replicasOfPoint } from './deployment-plan.ts';

interface Timed {
  /** Place in the list of the experiment. */
  index: number;
  atUs: number;
  /** For records and messages: `crash router-1`. */
  name: string;
}

/** An event that roles themselves undergo. */
interface OnRoles extends Timed {
  /** As the experiment names it. */
  target: string;
  roles: readonly string[];
}

export interface CrashEvent extends OnRoles {
  kind: 'crash';
  /** From the crash; absent: never. */
  restartUs?: number;
}

export interface FreezeEvent extends OnRoles {
  kind: 'freeze';
  forUs: number;
}

export interface SlowEvent extends OnRoles {
  kind: 'slow';
  delayUs: number;
  forUs: number;
}

export interface PartitionEvent extends Timed {
  kind: 'partition';
  sides: readonly [from: readonly string[], to: readonly string[]];
  /** Only messages from the first side to the second are lost. */
  oneWay: boolean;
  forUs: number;
}

/** Crashes of each role at drawn times. */
export interface DrawnCrashes {
  index: number;
  name: string;
  target: string;
  roles: readonly string[];
  law: CrashLaw;
  meanUs: number;
  downUs: number;
}

export interface RulesEvent extends Timed {
  kind: 'rules';
}

export type RoleEvent = CrashEvent | FreezeEvent | SlowEvent | PartitionEvent | RulesEvent;

/** A target that the deployment does not have. */
export interface UnknownTarget {
  index: number;
  target: string;
}

export interface RoleEvents {
  events: readonly RoleEvent[];
  drawn: readonly DrawnCrashes[];
  unknown: readonly UnknownTarget[];
}

export function roleEvents(
  events: readonly ExperimentEvent[],
  { graph, plan }: { graph: Graph; plan: DeploymentPlan },
): RoleEvents {
  const unknown: UnknownTarget[] = [];
  const drawn: DrawnCrashes[] = [];
  const found = events.flatMap((event, index): RoleEvent[] => {
    const rolesOf = (target: string): readonly string[] => {
      // Several targets: `points and services`.
      const each = target.split(' and ').map((one) => ({ one, roles: rolesNamed(one, graph, plan) }));
      for (const { one, roles } of each) if (roles.length === 0) unknown.push({ index, target: one });
      return [...new Set(each.flatMap(({ roles }) => roles))];
    };
    if (isDrawn(event)) {
      const { role: target, every, down: downUs } = event.crash;
      const { law, mean: meanUs } = every;
      const roles = rolesOf(target);
      if (roles.length > 0) drawn.push({ index, name: `crashes of ${target}`, target, roles, law, meanUs, downUs });
      return [];
    }
    const resolved = resolve(event, index, rolesOf);
    return unknown.some((one) => one.index === index) ? [] : [resolved];
  });
  return { events: found, drawn, unknown };
}

/** Whether an event kills or stops processes. */
export function changesProcesses(event: ExperimentEvent): boolean {
  return 'crash' in event || 'freeze' in event;
}

type DrawnEvent = Extract<ExperimentEvent, { crash: object }>;
type TimedEvent = Exclude<ExperimentEvent, DrawnEvent>;

function isDrawn(event: ExperimentEvent): event is DrawnEvent {
  return 'crash' in event && typeof event.crash !== 'string';
}

function resolve(event: TimedEvent, index: number, rolesOf: (target: string) => readonly string[]): RoleEvent {
  const onRoles = (kind: string, target: string): OnRoles => {
    return { index, atUs: event.at, name: `${kind} ${target}`, target, roles: rolesOf(target) };
  };
  if ('crash' in event) {
    const { crash, restart } = event;
    return { kind: 'crash', ...onRoles('crash', crash), ...(restart !== 'never' && { restartUs: restart }) };
  }
  if ('freeze' in event) return { kind: 'freeze', ...onRoles('freeze', event.freeze), forUs: event.for };
  if ('slow' in event) {
    return { kind: 'slow', ...onRoles('slow', event.slow), delayUs: event.delay, forUs: event.for };
  }
  if ('rules' in event) {
    const { rules, at } = event;
    const name = typeof rules === 'string' ? `rules ${rules}` : `rules with ${Object.keys(rules.set).join(', ')}`;
    return { kind: 'rules', index, atUs: at, name };
  }
  const [from, to] = event.partition as [string, string];
  const { oneWay } = event;
  const name = `partition ${from} ${oneWay ? 'to' : 'and'} ${to}`;
  return {
    kind: 'partition',
    index,
    atUs: event.at,
    name,
    sides: [rolesOf(from), rolesOf(to)],
    oneWay,
    forUs: event.for,
  };
}

/** Target of all enforcement points, whatever the architecture has. */
const allPoints = 'points';
const pointOf = 'point of ';

/** Names of the roles of a target; empty for an unknown one. */
function rolesNamed(target: string, graph: Graph, plan: DeploymentPlan): string[] {
  const { roles, executorOf } = plan;
  if (roles.some(({ name }) => name === target)) return [target];
  const named = (is: (role: DeploymentPlan['roles'][number]) => boolean): string[] =>
    roles.filter(is).map(({ name }) => name);
  const ofKind = named(({ kind }) => target === kind || target === pluralOf(kind));
  if (ofKind.length > 0) return ofKind;
  if (target === allPoints) return named(({ kind }) => kind !== 'gateway' && kind !== 'service');
  if (target.startsWith(pointOf)) {
    const service = graph.services.find(({ name }) => name === target.slice(pointOf.length));
    const point = service && executorOf[service.index];
    return point === undefined ? [] : [...replicasOfPoint(plan, point)];
  }
  const nodes = graph.nodes.filter(({ name }) => name === target);
  const places = nodes.length > 0 ? nodes : graph.nodes.filter(({ region }) => region === target);
  return named(({ node }) => places.some(({ index }) => index === node));
}

/** In English: `routers`, `central-entities`. */
function pluralOf(kind: string): string {
  return `${kind.replace(/(?<![aeiou])y$/, 'ie')}s`;
}

/** All targets that a deployment has, for suggestions. */
export function targetNames({ graph, plan }: { graph: Graph; plan: DeploymentPlan }): string[] {
  const kinds = new Set(plan.roles.map(({ kind }) => kind));
  const names = [
    ...plan.roles.map(({ name }) => name),
    ...[...kinds].filter((kind) => kind !== 'gateway').map(pluralOf),
    allPoints,
    ...graph.services.map(({ name }) => pointOf + name),
    ...graph.nodes.map(({ name }) => name),
    ...new Set(graph.nodes.map(({ region }) => region)),
  ];
  return names.filter((name) => rolesNamed(name, graph, plan).length > 0);
}

/** Names of the roles of an event, of both sides of a partition. A change of rules is for all. */
export function rolesOfEvent(event: RoleEvent): readonly string[] {
  if (event.kind === 'rules') return [];
  return event.kind === 'partition' ? event.sides.flat() : event.roles;
}

/** End of an event in µs since the begin of the load; +∞ for a role that stays down. */
export function endOfEventUs(event: RoleEvent): number {
  if (event.kind === 'rules') return event.atUs;
  if (event.kind !== 'crash') return event.atUs + event.forUs;
  return event.atUs + (event.restartUs ?? Number.POSITIVE_INFINITY);
}
