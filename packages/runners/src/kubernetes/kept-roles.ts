/** The processes of roles in pods, each of which the keeper in its container kills, starts, stops and continues. */
import type { ChangedRules } from '@topo-bench/core';
import { type OwnUsage, type ProcessUsage, sumUsage } from '@topo-bench/host';
import type { ControlClient } from '../control-client.ts';
import type { HttpRole } from '../http-deployment.ts';
import type { ProcessChange } from '../runner.ts';

export class KeptRoles {
  readonly #client: ControlClient;
  readonly #roles: readonly HttpRole[];
  readonly #keeperUrlOf: (role: string) => string;
  readonly #down = new Set<string>();
  /** By role: use of processes that were killed. */
  readonly #ended = new Map<string, ProcessUsage>();
  /** By role: the rules with which it starts again. */
  readonly #rules = new Map<string, ChangedRules>();

  constructor(client: ControlClient, roles: readonly HttpRole[], keeperUrlOf: (role: string) => string) {
    this.#client = client;
    this.#roles = roles;
    this.#keeperUrlOf = keeperUrlOf;
  }

  isDown(role: string): boolean {
    return this.#down.has(role);
  }

  /** Use of its processes that were killed, and of the one that runs. */
  useOf(role: string, running?: ProcessUsage): ProcessUsage | undefined {
    const ended = this.#ended.get(role);
    return ended && running ? sumUsage([ended, running]) : (ended ?? running);
  }

  keepRules(role: string, rules: ChangedRules): void {
    this.#rules.set(role, rules);
  }

  /** Resolves when the keeper has made the change: a process that was started again is ready. */
  async apply({ kind, role: name }: ProcessChange, signal: AbortSignal): Promise<void> {
    const role = this.#roles.find((one) => one.name === name);
    if (!role) return;
    const rules = kind === 'restart' && this.#rules.get(name);
    if (kind === 'kill') this.#down.add(name);
    const keeper = { ...role, controlUrl: this.#keeperUrlOf(name) };
    const path = `/control/process/${kind}`;
    const { process } = await this.#client.ask<OwnUsage>(keeper, 'POST', path, signal, rules ? { rules } : {});
    const use = process && this.useOf(name, { ...process, rssBytes: 0 });
    if (use) this.#ended.set(name, use);
    if (kind === 'restart') this.#down.delete(name);
  }
}
