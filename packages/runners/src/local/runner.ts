/** Roles as child processes on loopback. */
import {
  type DeploymentDocuments,
  type PeerUrls,
  type RoleConfig,
  type RoleDocuments,
  TopoBenchError,
} from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import { giveHighestNice, programOutput, readHostEnvironment, usableCores } from '@topo-bench/host';
import { ControlClient } from '../control-client.ts';
import { HttpDeployment, type HttpRole } from '../http-deployment.ts';
import { inParallel } from '../in-parallel.ts';
import { notReady } from '../not-ready.ts';
import { whenHealthy } from '../role-health.ts';
import type { Deployment, Runner, StartOptions } from '../runner.ts';
import { attemptStart, type StartAttempt } from '../start-attempt.ts';
import { checkPlan, noticesOf } from './check.ts';
import { LocalRole } from './local-role.ts';
import { onLoopback } from './placement.ts';
import type { Profiling } from './profiling/profiling.ts';
import { roleEnvironment } from './role-environment.ts';
import { RoleProcess } from './role-process.ts';

const stopGraceMs = 3000;

export interface LocalRunnerOptions {
  /** Path of the service entry file. */
  serviceEntry: string;
  /** Default: `TOPO_BENCH_NODE`, else the binary that runs this process. */
  nodeBinary?: string;
  /** Max roles that start concurrently. Default: two per core, the best in measurements. */
  concurrency?: number;
  /** Environment variables of a role beyond those that all get, by role name. */
  env?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function localRunner(options: LocalRunnerOptions): Runner {
  return {
    check: async (plan) => checkPlan(plan),
    notices: async (plan) => noticesOf(plan),
    start: async (_plan, configure, start) => {
      const documents = configure(onLoopback(start.gatewayPort ?? 0));
      return new Start(documents, start, options).run();
    },
  };
}

/** One start. It ends with a deployment, or with its first failure after all processes have ended. */
class Start {
  readonly #documents: DeploymentDocuments;
  readonly #options: StartOptions;
  readonly #local: LocalRunnerOptions;
  readonly #processes: RoleProcess[] = [];
  readonly #client = new ControlClient();
  #profiling: Profiling | undefined;
  /** Names of roles that have not finished the current phase of the start: listening, or receiving their peers. */
  #pending: Set<string>;

  constructor(documents: DeploymentDocuments, options: StartOptions, local: LocalRunnerOptions) {
    this.#documents = documents;
    this.#options = options;
    this.#local = local;
    this.#pending = new Set(documents.roles.map(({ config }) => config.name));
  }

  get #nodeBinary(): string {
    return this.#local.nodeBinary ?? (process.env.TOPO_BENCH_NODE || process.execPath);
  }

  async run(): Promise<Deployment> {
    const { signal, readyTimeoutMs } = this.#options;
    const configs = this.#documents.roles.map(({ config }) => config);
    const timeoutMs = readyTimeoutMs ?? 30_000 + 1000 * configs.length + maxReadyWithinMs(configs);
    // Loaded only for a deployment that is profiled.
    if (this.#options.profile) this.#profiling = await (await import('./profiling/profiling.ts')).Profiling.open();
    return attemptStart(
      { timeoutMs, timedOut: () => this.#timedOut(timeoutMs), signal },
      (attempt) => this.#deploy(attempt),
      async () => {
        this.#client.close();
        await stopAll(this.#processes);
        await this.#profiling?.close();
      },
    );
  }

  async #deploy(attempt: StartAttempt): Promise<Deployment> {
    // Two per core: one starts while another waits for its disk, its pipe or this process.
    const limit = this.#local.concurrency ?? 2 * usableCores();
    const processes = this.#processes;
    const graph = JSON.stringify(this.#documents.graph);
    const [host, listening] = await Promise.all([
      thisHost(this.#nodeBinary),
      inParallel(this.#documents.roles, limit, (role) =>
        attempt.unlessFailed(() => this.#listening(role, graph, attempt)),
      ),
    ]);
    const roles = listening.map((role) => ({ ...role, host: host.id }));
    this.#pending = new Set(roles.map(({ name }) => name));
    const targets = new Map(roles.map((target) => [target.name, target]));
    await inParallel(processes, processes.length, (role) =>
      attempt.unlessFailed(() => this.#ready(role, targets, attempt)),
    );
    const placed = roles.map((role) => withPriority(role, processes));
    const running: LocalRole[] = [];
    const deployment = new HttpDeployment(placed, this.#client, {
      hosts: [host],
      profiler: this.#profiling?.profiler(() => processes),
      usage: async (options) => running.map((role) => role.usage(options)),
      detachedCpuUs: async () => 0,
      apply: async (change, signal) => running.find(({ name }) => name === change.role)?.apply(change, signal),
      keepRules: (role, rules) => running.find(({ name }) => name === role)?.keepRules(rules),
      stop: async () => {
        await Promise.all(running.map((role) => role.stop(stopGraceMs)));
        await this.#profiling?.close();
      },
    });
    for (const process of processes) {
      const { name } = process.config;
      const target = placed.find((role) => role.name === name) as HttpRole;
      const onDeath = (error: TopoBenchError): void => deployment.reportDeath(name, error);
      const begin = (documents: RoleDocuments): RoleProcess => this.#process(documents);
      const peers = peersOf(process.config, targets);
      running.push(new LocalRole(process, { target, peers, graph, client: this.#client, begin, onDeath }));
    }
    return deployment;
  }

  async #listening(documents: RoleDocuments, graph: string, attempt: StartAttempt): Promise<Omit<HttpRole, 'host'>> {
    const { config, secrets } = documents;
    const role = this.#process(documents);
    this.#processes.push(role);
    role.onDeath = (error) => attempt.fail(error);
    const { url, controlUrl, flightUrl } = await role.listening(graph);
    const others = { ...(controlUrl !== undefined && { controlUrl }), ...(flightUrl !== undefined && { flightUrl }) };
    this.#pending.delete(config.name);
    const { name, kind, node } = config;
    return { name, kind, url, node, controlToken: secrets.controlToken, ...others };
  }

  #process(documents: RoleDocuments): RoleProcess {
    const { serviceEntry: entry, env } = this.#local;
    const { logsDir } = this.#options;
    const { name } = documents.config;
    const own = { ...env?.[name], ...this.#profiling?.environment(name) };
    return new RoleProcess(documents, { nodeBinary: this.#nodeBinary, entry, logsDir, env: roleEnvironment(own) });
  }

  async #ready(role: RoleProcess, targets: ReadonlyMap<string, HttpRole>, { signal }: StartAttempt): Promise<void> {
    const { name } = role.config;
    await role.ready(peersOf(role.config, targets));
    await whenHealthy(this.#client, targets.get(name) as HttpRole, signal);
    this.#pending.delete(name);
  }

  #timedOut(timeoutMs: number): TopoBenchError {
    const waiting = this.#processes.filter(({ config }) => this.#pending.has(config.name));
    const named = waiting.map(({ config, log }) => ({ name: config.name, log }));
    return notReady(named, this.#pending.size, this.#documents.roles.length, timeoutMs);
  }
}

/** @throws TopoBenchError `TB_INTERNAL` for a peer that is not deployed */
function peersOf({ name, peers }: RoleConfig, targets: ReadonlyMap<string, HttpRole>): PeerUrls {
  const known = Object.keys(peers).map((peer) => [peer, targets.get(peer)?.url ?? peers[peer]?.url] as const);
  const unknown = known.find(([, url]) => url === undefined);
  if (unknown) throw new TopoBenchError('TB_INTERNAL', `${name} has the peer ${unknown[0]}, which is not deployed`);
  return { peers: Object.fromEntries(known) as Record<string, string> };
}

/**
 * Gives the gateway CPU priority. It measures every round-trip time, and a late start of the measurement makes it too
 * short: a request waits in the accept queue until the gateway runs (figures in
 * docs/decisions/0014-gateway-priority.md).
 */
function withPriority(role: HttpRole, processes: readonly RoleProcess[]): HttpRole {
  const own = processes.find(({ config }) => config.name === role.name);
  return own && role.kind === 'gateway' ? { ...role, goesFirst: giveHighestNice(own.pid) } : role;
}

/** Ends all processes in any state; resolves when all have ended. */
async function stopAll(processes: readonly RoleProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.stop(stopGraceMs)));
}

/** Max `readyWithin` of all user-supplied services. */
function maxReadyWithinMs(configs: readonly RoleConfig[]): number {
  return Math.max(0, ...configs.map(({ userService }) => (userService?.readyWithinUs ?? 0) / 1e3));
}

/**
 * The host of all local roles: this machine, with the Node.js that runs them.
 * @param nodeBinary of the roles. If it does not start, the start of the roles reports it.
 */
async function thisHost(nodeBinary: string): Promise<Host> {
  const environment = readHostEnvironment();
  const node = nodeBinary === process.execPath ? environment.node : await versionOf(nodeBinary);
  return { id: environment.hostname, ...environment, node };
}

async function versionOf(nodeBinary: string): Promise<string> {
  return (await programOutput(nodeBinary, ['--version']))?.trim().replace(/^v/, '') ?? 'unknown';
}
