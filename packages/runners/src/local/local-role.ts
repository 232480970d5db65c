/**
 * A role of a running deployment over its processes. After a crash, a new process has the address, the documents and
 * the peers of the one before.
 */
import { type ChangedRules, type PeerUrls, type RoleDocuments, TopoBenchError } from '@topo-bench/core';
import {
  giveHighestNice,
  type ProcessUsage,
  readProcessUsage,
  readPssBytes,
  readStartedUsage,
  sumUsage,
} from '@topo-bench/host';
import type { ControlClient } from '../control-client.ts';
import type { HttpRole } from '../http-deployment.ts';
import { whenHealthy } from '../role-health.ts';
import { roleUsage } from '../role-usage.ts';
import type { ProcessChange, RoleUsage, UsageOptions } from '../runner.ts';
import type { RoleProcess } from './role-process.ts';

/** An outgoing connection of another program can have the port of a role that is down, for a moment. */
const portTakenMs = 5000;

export interface LocalRoleParts {
  target: HttpRole;
  peers: PeerUrls;
  /** As JSON. */
  graph: string;
  client: ControlClient;
  /** Starts a process with these documents. */
  begin(documents: RoleDocuments): RoleProcess;
  /** Called once for each process that ends unplanned. */
  onDeath(error: TopoBenchError): void;
}

export class LocalRole {
  readonly #parts: LocalRoleParts;
  #process: RoleProcess;
  /** Use of processes that were killed. */
  readonly #ended: ProcessUsage[] = [];
  #isDown = false;
  /** After a change of rules: those with which it starts again. */
  #rules: ChangedRules | undefined;
  #isStopping = false;

  constructor(process: RoleProcess, parts: LocalRoleParts) {
    this.#parts = parts;
    this.#process = process;
    process.onDeath = parts.onDeath;
    if (process.death) parts.onDeath(process.death);
  }

  get name(): string {
    return this.#process.config.name;
  }

  /** Includes the CPU time of the processes that were killed. */
  usage(options: UsageOptions): RoleUsage {
    const now = processUsage(this.#process, options);
    if (this.#ended.length === 0) return now;
    const { process: current, ...usage } = now;
    const process = sumUsage([...this.#ended, ...(current && !this.#isDown ? [current] : [])]);
    return { ...usage, ...(process && { process }) };
  }

  /** @throws TopoBenchError `TB_ROLE_PORT_TAKEN`, and as a start */
  async apply({ kind }: ProcessChange, signal: AbortSignal): Promise<void> {
    switch (kind) {
      case 'kill':
        return this.#kill();
      case 'restart':
        return this.#restart(signal);
      case 'freeze':
        if (this.#isDown) throw new TopoBenchError('TB_ROLE_NOT_READY', `${this.name} is down, and cannot be stopped`);
        return this.#process.freeze();
      case 'thaw':
        return this.#process.thaw();
    }
  }

  keepRules(rules: ChangedRules): void {
    this.#rules = rules;
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#process.stop(graceMs);
  }

  async #kill(): Promise<void> {
    const { process: used } = processUsage(this.#process, {});
    if (used) this.#ended.push({ ...used, rssBytes: 0 });
    this.#isDown = true;
    await this.#process.kill();
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const { target, peers, graph, client, begin, onDeath } = this.#parts;
    const documents = this.#atSameAddress();
    const giveUpMs = performance.now() + portTakenMs;
    for (;;) {
      signal.throwIfAborted();
      const process = begin(documents);
      this.#process = process;
      try {
        await process.listening(graph);
        break;
      } catch (error) {
        const { code } = error as TopoBenchError;
        if (code !== 'TB_ROLE_PORT_TAKEN' || this.#isStopping || performance.now() > giveUpMs) throw error;
      }
    }
    this.#isDown = false;
    this.#process.onDeath = onDeath;
    await this.#process.ready(peers);
    await whenHealthy(client, target, signal);
    if (target.goesFirst) giveHighestNice(this.#process.pid);
  }

  #atSameAddress(): RoleDocuments {
    const { config, secrets } = this.#process.documents;
    const { url, flightUrl } = this.#parts.target;
    const listen = {
      ...config.listen,
      port: Number(new URL(url).port),
      ...(flightUrl !== undefined && { flightPort: Number(/:(\d+)$/.exec(flightUrl)?.[1] ?? 0) }),
    };
    return { config: { ...config, ...this.#rules, listen }, secrets };
  }
}

/** Resource use of a role's processes, as counted by the kernel. */
function processUsage({ config, pid }: RoleProcess, { pss }: UsageOptions): RoleUsage {
  return roleUsage(config, {
    process: readProcessUsage(pid),
    pssBytes: pss ? readPssBytes(pid) : undefined,
    started: config.userService?.kind === 'command' ? readStartedUsage(pid) : undefined,
  });
}
