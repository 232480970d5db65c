/** Roles as child processes on loopback. */
import { type DeploymentDocuments, type RoleConfig, type RoleDocuments, TopoBenchError } from '@topo-bench/core';
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
import { onLoopback } from './placement.ts';
import { processUsage } from './process-usage.ts';
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
    return attemptStart(
      { timeoutMs, timedOut: () => this.#timedOut(timeoutMs), signal },
      (attempt) => this.#deploy(attempt),
      async () => {
        this.#client.close();
        await stopAll(this.#processes);
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
    const deployment = new HttpDeployment(
      roles.map((role) => withPriority(role, processes)),
      this.#client,
      {
        hosts: [host],
        usage: async (options) => processes.map((role) => processUsage(role, options)),
        detachedCpuUs: async () => 0,
        stop: () => stopAll(processes),
      },
    );
    for (const role of processes) {
      role.onDeath = (error) => deployment.reportDeath(role.config.name, error);
      if (role.death) deployment.reportDeath(role.config.name, role.death);
    }
    return deployment;
  }

  async #listening(documents: RoleDocuments, graph: string, attempt: StartAttempt): Promise<Omit<HttpRole, 'host'>> {
    const { config, secrets } = documents;
    const { serviceEntry: entry, env } = this.#local;
    const nodeBinary = this.#nodeBinary;
    const { logsDir } = this.#options;
    const role = new RoleProcess(documents, { nodeBinary, entry, logsDir, env: roleEnvironment(env?.[config.name]) });
    this.#processes.push(role);
    role.onDeath = (error) => attempt.fail(error);
    const { url, controlUrl, flightUrl } = await role.listening(graph);
    const others = { ...(controlUrl !== undefined && { controlUrl }), ...(flightUrl !== undefined && { flightUrl }) };
    this.#pending.delete(config.name);
    const { name, kind, node } = config;
    return { name, kind, url, node, controlToken: secrets.controlToken, ...others };
  }

  async #ready(role: RoleProcess, targets: ReadonlyMap<string, HttpRole>, { signal }: StartAttempt): Promise<void> {
    const { name, peers } = role.config;
    const known = Object.keys(peers).map((peer) => [peer, targets.get(peer)?.url ?? peers[peer]?.url] as const);
    const unknown = known.find(([, url]) => url === undefined);
    if (unknown) throw new TopoBenchError('TB_INTERNAL', `${name} has the peer ${unknown[0]}, which is not deployed`);
    await role.ready({ peers: Object.fromEntries(known) as Record<string, string> });
    await whenHealthy(this.#client, targets.get(name) as HttpRole, signal);
    this.#pending.delete(name);
  }

  #timedOut(timeoutMs: number): TopoBenchError {
    const waiting = this.#processes.filter(({ config }) => this.#pending.has(config.name));
    const named = waiting.map(({ config, log }) => ({ name: config.name, log }));
    return notReady(named, this.#pending.size, this.#documents.roles.length, timeoutMs);
  }
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
