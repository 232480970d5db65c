/**
 * A whole deployment in memory and in virtual time: every role is the machine that the real role runs, for all
 * architectures and both styles. It needs no process, no socket and no Node.js.
 */
import type { DeploymentGraph, GatewayRequest, GatewayResponse, Hashing, RoleConfig } from '@topo-bench/core';
import { gatewayFor } from '@topo-bench/topology';
import { Decider } from '../decider.ts';
import { type FlowRole, flowRole } from '../flow-role.ts';
import type { GatewayAnswer } from '../gateway-answer.ts';
import type { FlowCounts } from '../machine/flow-counts.ts';
import type { RoleEffect } from '../machine/role-effect.ts';
import { Calendar } from './calendar.ts';
import { ControlSide, type TimedRuleChange } from './control-side.ts';
import { type MemoryFault, MessageFaultsInMemory } from './memory-faults.ts';
import { type MemoryReply, MemoryRole, type Surroundings } from './memory-role.ts';

export interface MemoryOptions {
  hashing: Hashing;
  /** Roles and services that cannot be reached. */
  down?: readonly string[];
  /** Roles that acknowledge all messages and do nothing more. */
  silent?: readonly string[];
  /** Times count from the first call of `sendAll`. */
  faults?: readonly MemoryFault[];
  /** Time of a decision, and that of building changed rules. Default: 0. */
  decideUs?: number;
  prepareUs?: number;
  /** Called with each effect of each role, at its time. */
  onEffect?: (effect: RoleEffect<MemoryReply>, role: FlowRole, nowUs: number) => void;
}

/**
 * What a client has of its request: an answer, a refusal of an id in flight, no connection, or a connection that the
 * crash of the gateway has ended.
 */
export type MemoryAnswer = GatewayAnswer | 'duplicate' | 'connection-refused' | 'connection-reset';

/** A request that reaches the gateway at a time of the calendar. */
export interface TimedRequest {
  request: GatewayRequest;
  atUs: number;
}

export interface MemoryDeployment {
  /** Forks that are still open. */
  openForks(): number;
  /** What roles have not ended, in words; empty once all requests have ended. */
  leftOpen(): string[];
  counts(role: string): FlowCounts;
  /**
   * Performs requests until nothing is left to do. Times count from the end of the last call.
   * @returns in the order of the requests
   */
  sendAll(requests: readonly TimedRequest[], changes?: readonly TimedRuleChange[]): Promise<MemoryAnswer[]>;
  /** Performs one request. */
  send(request: GatewayRequest): Promise<GatewayResponse>;
}

/** @param roles as in the documents of a deployment; the gateways are among them */
export async function memoryDeployment(
  roles: readonly (RoleConfig & { graph: DeploymentGraph })[],
  { hashing, down = [], silent = [], faults = [], decideUs = 0, prepareUs = 0, ...options }: MemoryOptions,
): Promise<MemoryDeployment> {
  const calendar = new Calendar();
  const places = new Map<string, MemoryRole>();
  /** Roles that have crashed and are not back. */
  const crashed = new Set<string>();
  const isDown = (name: string): boolean => down.includes(name) || crashed.has(name);
  const around: Surroundings = {
    ...{ calendar, decideUs, prepareUs },
    onEffect: options.onEffect ?? (() => undefined),
    faults: new MessageFaultsInMemory(faults),
    reach: (name) => (isDown(name) ? undefined : silent.includes(name) ? 'silent' : places.get(name)),
    lastSeen: (id, asking) => {
      const others = [...places].filter(([name, role]) => name !== asking && !isDown(name) && role.answers);
      return new Map(
        others.flatMap(([name, { machine }]) => {
          const seen = machine.seen.find(id);
          return seen ? [[name, seen] as const] : [];
        }),
      );
    },
  };
  const control = new ControlSide({
    get nowUs() {
      return calendar.nowUs;
    },
    after: (delayUs, happen) => calendar.after(delayUs, happen),
    isDown: (name) => crashed.has(name),
    deliver: (name, change, confirmed) => {
      const role = places.get(name) as MemoryRole;
      role.take(() => role.machine.changeRules({ confirmed }, change, calendar.nowUs));
    },
  });
  const start = async (first: RoleConfig & { graph: DeploymentGraph }): Promise<void> => {
    const { name, kind } = first;
    const config = { ...first, ...control.rulesOf(name) };
    const enforces = kind !== 'gateway' && kind !== 'service';
    const decider = enforces ? await Decider.load(config, () => undefined) : undefined;
    places.set(name, new MemoryRole(flowRole(config, hashing), decider, around));
  };
  for (const config of roles) await start(config);
  const gateways = roles
    .filter(({ kind }) => kind === 'gateway')
    .map(({ name, node, graph }) => {
      return { name, region: graph.nodes[node]?.region as string };
    });
  /** By gateway: clients that wait for an answer, called when their connections end. */
  const clients = new Map<string, Set<() => void>>(gateways.map(({ name }) => [name, new Set()]));
  for (const fault of faults) calendar.after(fault.atUs, () => begin(fault));

  function begin(fault: MemoryFault): void {
    if (fault.kind === 'crash') for (const role of fault.roles) crash(role, fault.restartUs);
    if (fault.kind !== 'freeze') return;
    for (const role of fault.roles) places.get(role)?.freeze(calendar.nowUs + fault.forUs);
  }

  function crash(name: string, restartUs: number | undefined): void {
    places.get(name)?.crash();
    crashed.add(name);
    for (const role of places.values()) role.lose(name);
    for (const end of clients.get(name) ?? []) end();
    control.crashed(name);
    if (restartUs === undefined) return;
    calendar.after(restartUs, () => {
      crashed.delete(name);
      calendar.hold(start(roles.find((role) => role.name === name) as (typeof roles)[number]));
    });
  }

  async function sendAll(
    requests: readonly TimedRequest[],
    changes: readonly TimedRuleChange[] = [],
  ): Promise<MemoryAnswer[]> {
    const startUs = calendar.nowUs;
    for (const { atUs, ...change } of changes) calendar.after(atUs, () => control.change(change, startUs));
    const answers = requests.map(({ request, atUs }) => {
      const { id = 'x', fieldCategories = {}, ...facts } = request;
      const given: MemoryAnswer[] = [];
      const { name: gateway } = gatewayFor(gateways, facts.origin);
      const waiting = clients.get(gateway) as Set<() => void>;
      calendar.after(atUs, () => {
        if (isDown(gateway)) {
          given.push('connection-refused');
          return;
        }
        const reset = (): void => end('connection-reset');
        const end = (answer: MemoryAnswer): void => {
          waiting.delete(reset);
          given.push(answer);
        };
        waiting.add(reset);
        const accepted = structuredClone({ id, request: facts, fieldCategories });
        const role = places.get(gateway) as MemoryRole;
        role.take(() => role.machine.request({ respond: end }, accepted, calendar.nowUs));
      });
      return { id, given };
    });
    await calendar.drain();
    return answers.map(({ id, given }) => {
      const [answer] = given;
      if (!answer || given.length > 1) throw new RangeError(`the request ${id} ended ${given.length} times, not once`);
      return answer;
    });
  }

  return {
    openForks: () => [...places.values()].reduce((sum, { machine }) => sum + machine.openForks, 0),
    leftOpen: () => [...places.values()].flatMap((role) => role.leftOpen),
    counts: (role) => (places.get(role) as MemoryRole).counts,
    sendAll,
    send: async (request) => {
      const [answer] = await sendAll([{ request, atUs: 0 }]);
      if (!answer || typeof answer === 'string')
        throw new RangeError(`the request ${request.id} has no answer: ${answer}`);
      return answer.response;
    },
  };
}
