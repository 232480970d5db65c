/**
 * A deployment whose roles answer over HTTP on any host: counters, spans, deaths. Every runner returns one, and adds
 * its own functions for the roles.
 */
import type { RoleStats, Span, TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import type { ControlClient, ControlTarget } from './control-client.ts';
import { inParallel } from './in-parallel.ts';
import type { DeployedRole, Deployment, RoleUsage, UsageOptions } from './runner.ts';

const askedAtOnce = 16;

export interface HttpRole extends DeployedRole, ControlTarget {}

/** Facts and functions of the started roles that only the runner has. */
export interface RunningRoles {
  hosts: readonly Host[];
  usage(options: UsageOptions): Promise<RoleUsage[]>;
  detachedCpuUs(): Promise<number>;
  /** Ends every role and resolves when all have ended. May be called again. */
  stop(): Promise<void>;
}

export class HttpDeployment implements Deployment {
  readonly gatewayUrl: string;
  readonly roles: readonly DeployedRole[];
  readonly hosts: readonly Host[];
  readonly #targets: readonly HttpRole[];
  readonly #client: ControlClient;
  readonly #running: RunningRoles;
  readonly #deaths = new Map<DeployedRole, TopoBenchError>();
  readonly #listeners: ((error: TopoBenchError, role: DeployedRole) => void)[] = [];

  /** @param client closed by `stop` */
  constructor(targets: readonly HttpRole[], client: ControlClient, running: RunningRoles) {
    this.#targets = targets;
    this.#client = client;
    this.#running = running;
    this.hosts = running.hosts;
    this.roles = targets.map(({ controlToken: _, controlUrl: _url, ...role }) => role);
    this.gatewayUrl = this.roles.find(({ kind }) => kind === 'gateway')?.url ?? '';
  }

  /** Called by the runner when a role ends before `stop`. Only the first call for a role counts. */
  reportDeath(name: string, error: TopoBenchError): void {
    const role = this.roles.find((one) => one.name === name);
    if (!role || this.#deaths.has(role)) return;
    this.#deaths.set(role, error);
    for (const listener of this.#listeners) listener(error, role);
  }

  usage(options: UsageOptions = {}): Promise<RoleUsage[]> {
    return this.#running.usage(options);
  }

  detachedCpuUs(): Promise<number> {
    return this.#running.detachedCpuUs();
  }

  stats(): Promise<RoleStats[]> {
    return this.#askAll<RoleStats>('GET', '/control/stats');
  }

  async reset(): Promise<void> {
    await this.#askAll('POST', '/control/reset');
  }

  async spans(): Promise<Span[]> {
    return (await this.#askAll<Span[]>('GET', '/control/spans')).flat();
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
    const asked = inParallel(this.#targets, askedAtOnce, (target) => this.#client.ask<Answer>(target, method, path));
    // The death of a role explains more than a missing answer.
    return asked.catch((error) => {
      const [death] = this.#deaths.values();
      throw death ?? error;
    });
  }
}
