/**
 * A deployment whose roles answer over HTTP on any host: counters, spans, deaths. Every runner returns one, and adds
 * its own functions for the roles.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChangedRules,
  type MessageFaults,
  type RoleMemory,
  type RoleStats,
  type RoleTimeline,
  type RuleChange,
  rulesAfter,
  type Span,
  TopoBenchError,
} from '@topo-bench/core';
import type { Host, NetworkPolicyFigures } from '@topo-bench/core/schema/result';
import type { DeploymentRuleChange } from '@topo-bench/deployment';
import { alignedSpans, alignedTimeline } from './aligned-timeline.ts';
import { changeRules } from './change-rules.ts';
import type { ControlClient, ControlTarget } from './control-client.ts';
import { inParallel } from './in-parallel.ts';
import type {
  DeployedRole,
  Deployment,
  InsideNetwork,
  ProcessChange,
  Profiler,
  RoleChange,
  RoleUsage,
  UsageOptions,
} from './runner.ts';

const askedAtOnce = 16;
/** Time from the end of a role until its runner knows of it. */
const deathReportMs = 2000;

export interface HttpRole extends DeployedRole, ControlTarget {}

/** Facts and functions of the started roles that only the runner has. */
export interface RunningRoles {
  hosts: readonly Host[];
  /** Absent where load comes from this machine. */
  inside?: InsideNetwork;
  networkPolicies?: NetworkPolicyFigures | undefined;
  profiler?: Profiler | undefined;
  usage(options: UsageOptions): Promise<RoleUsage[]>;
  detachedCpuUs(): Promise<number>;
  /** Takes the rules with which a role starts again. Absent for a runner that starts no role again. */
  keepRules?(role: string, rules: ChangedRules): void;
  /** Absent for a runner without events. Resolves when the change has taken effect. */
  apply?(change: ProcessChange, signal: AbortSignal): Promise<void>;
  /** Ends every role and resolves when all have ended. May be called again. */
  stop(): Promise<void>;
}

export class HttpDeployment implements Deployment {
  readonly gatewayUrl: string;
  readonly inside?: InsideNetwork;
  readonly roles: readonly DeployedRole[];
  readonly hosts: readonly Host[];
  readonly networkPolicies?: NetworkPolicyFigures;
  readonly profiler?: Profiler;
  readonly #targets: readonly HttpRole[];
  readonly #client: ControlClient;
  readonly #running: RunningRoles;
  readonly #deaths = new Map<DeployedRole, TopoBenchError>();
  /** Names of roles that were killed, and of those that are stopped. */
  readonly #down = new Set<string>();
  readonly #frozen = new Set<string>();
  /** Starts after a crash that have not ended. */
  readonly #starting = new Map<string, Promise<void>>();
  /** By role: the changes of its rules, in their order. */
  readonly #ruleChanges = new Map<string, RuleChange[]>();
  /** By role, as last asked for. */
  readonly #faults = new Map<string, MessageFaults>();
  /** Aborted by the first death: a dead address may drop packets, and questions to it would wait for their timeout. */
  readonly #died = new AbortController();
  readonly #listeners: ((error: TopoBenchError, role: DeployedRole) => void)[] = [];

  /** @param client closed by `stop` */
  constructor(targets: readonly HttpRole[], client: ControlClient, running: RunningRoles) {
    this.#targets = targets;
    this.#client = client;
    this.#running = running;
    // One listener for each question in flight is not a leak.
    setMaxListeners(0, this.#died.signal);
    this.hosts = running.hosts;
    if (running.inside) this.inside = running.inside;
    if (running.networkPolicies) this.networkPolicies = running.networkPolicies;
    if (running.profiler) this.profiler = running.profiler;
    this.roles = targets.map(({ controlToken: _, controlUrl: _url, ...role }) => role);
    this.gatewayUrl = this.roles.find(({ kind }) => kind === 'gateway')?.url ?? '';
  }

  /** Called by the runner when a role ends before `stop`. Only the first call for a role counts. */
  reportDeath(name: string, error: TopoBenchError): void {
    const role = this.roles.find((one) => one.name === name);
    if (!role || this.#deaths.has(role)) return;
    this.#deaths.set(role, error);
    this.#died.abort(error);
    for (const listener of this.#listeners) listener(error, role);
  }

  usage(options: UsageOptions = {}): Promise<RoleUsage[]> {
    return this.#running.usage(options);
  }

  detachedCpuUs(): Promise<number> {
    return this.#running.detachedCpuUs();
  }

  memory(): Promise<RoleMemory[]> {
    return this.#askAll<RoleMemory>('GET', '/control/memory');
  }

  stats(): Promise<RoleStats[]> {
    return this.#askAll<RoleStats>('GET', '/control/stats');
  }

  timelines(): Promise<RoleTimeline[]> {
    return this.#ofAll((target, signal) => alignedTimeline((path) => this.#client.ask(target, 'GET', path, signal)));
  }

  async reset(): Promise<void> {
    await this.#askAll('POST', '/control/reset');
  }

  async spans(): Promise<Span[]> {
    const spans = this.#ofAll((target, signal) => {
      return alignedSpans((path) => this.#client.ask(target, 'GET', path, signal));
    });
    return (await spans).flat();
  }

  async apply(change: RoleChange, signal: AbortSignal): Promise<void> {
    const { role, kind } = change;
    const target = this.#targets.find(({ name }) => name === role);
    if (!target) throw new TopoBenchError('TB_INTERNAL', `${role} is not deployed`);
    if (kind === 'messages') {
      this.#faults.set(role, change.faults);
      if (!this.#down.has(role) && !this.#frozen.has(role)) await this.#sendFaults(target, signal);
      return;
    }
    if (!this.#running.apply) {
      throw new TopoBenchError('TB_EVENT_UNSUPPORTED', `${kind} ${role}: this runner applies no events`, {
        hint: 'choose another `runner`: each of topo-bench applies them',
      });
    }
    if (kind === 'kill') this.#down.add(role);
    if (kind === 'freeze') this.#frozen.add(role);
    if (kind === 'restart') {
      const started = this.#restart(change, target, signal);
      this.#starting.set(role, started);
      await started.finally(() => this.#starting.delete(role));
    } else await this.#running.apply(change, signal);
    if (kind === 'kill' || kind === 'freeze') return;
    this.#frozen.delete(role);
    if (this.#faults.has(role)) await this.#sendFaults(target, signal);
  }

  /** It is back when it has the rules in force: those with which it started, and those that came meanwhile. */
  async #restart(change: ProcessChange, target: HttpRole, signal: AbortSignal): Promise<void> {
    const { name, kind } = target;
    const changes = this.#changesOf(name);
    // No document has the parts that points fetch from the gateway.
    let sent = kind === 'gateway' ? 0 : changes.length;
    await this.#running.apply?.(change, signal);
    for (; sent < changes.length; sent++) {
      await this.#client.ask(target, 'POST', '/control/rules', signal, changes[sent]);
    }
    this.#down.delete(name);
    // Its figures over time begin with a reset.
    await this.#client.ask(target, 'POST', '/control/reset', signal);
  }

  async #sendFaults(target: HttpRole, signal: AbortSignal): Promise<void> {
    const { name } = target;
    try {
      await this.#client.ask(target, 'POST', '/control/faults', signal, this.#faults.get(name));
    } catch (error) {
      // It was killed or stopped meanwhile, and is sent them when it is back.
      if (!this.#down.has(name) && !this.#frozen.has(name)) throw error;
    }
  }

  changeRules(change: DeploymentRuleChange, signal: AbortSignal): Promise<void> {
    const { version, parts } = change;
    for (const [role, rules] of Object.entries(parts)) this.#keep(role, { version, rules });
    return changeRules(change, async <Answer>(role: string, method: 'GET' | 'POST', path: string, body?: unknown) => {
      const target = this.#targets.find(({ name }) => name === role);
      if (!target) throw new TopoBenchError('TB_INTERNAL', `a change of rules for ${role}, which is not deployed`);
      if (target.kind === 'gateway' && method === 'POST') this.#keep(role, body as RuleChange);
      // It may have begun to start with the rules of before.
      await this.#starting.get(role)?.catch(() => undefined);
      // A role that is down decides nothing until it starts again, with the new rules.
      if (this.#down.has(role)) return { version } as Answer;
      try {
        return await this.#client.ask<Answer>(target, method, path, signal, body);
      } catch (error) {
        if (this.#down.has(role)) return { version } as Answer;
        throw error;
      }
    });
  }

  #changesOf(role: string): RuleChange[] {
    const changes = this.#ruleChanges.get(role) ?? [];
    this.#ruleChanges.set(role, changes);
    return changes;
  }

  /** A role that starts from now on has this change. */
  #keep(role: string, change: RuleChange): void {
    const changes = this.#changesOf(role);
    changes.push(change);
    this.#running.keepRules?.(role, rulesAfter(changes));
  }

  onDeath(callback: (error: TopoBenchError, role: DeployedRole) => void): void {
    this.#listeners.push(callback);
    for (const [role, error] of this.#deaths) callback(error, role);
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.#running.stop();
  }

  #askAll<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer[]> {
    return this.#ofAll((target, signal) => this.#client.ask<Answer>(target, method, path, signal));
  }

  /** The answers of all roles but those that are down, also of those that are killed while they are asked. */
  async #ofAll<Answer>(ask: (target: HttpRole, signal: AbortSignal) => Promise<Answer>): Promise<Answer[]> {
    const { signal } = this.#died;
    const running = this.#targets.filter(({ name }) => !this.#down.has(name));
    const answers = inParallel(running, askedAtOnce, async (target): Promise<Answer[]> => {
      try {
        return [await ask(target, signal)];
      } catch (error) {
        if (this.#down.has(target.name)) return [];
        throw error;
      }
    });
    try {
      return (await answers).flat(1) as Answer[];
    } catch (error) {
      // The death of a role explains more than a missing answer, and engines report it a moment later.
      await sleep(deathReportMs, undefined, { signal }).catch(() => undefined);
      const [death] = this.#deaths.values();
      throw death ?? error;
    }
  }
}
