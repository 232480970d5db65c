/** Roles as child processes of this one, on loopback. */
import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { TopoBenchError } from '@topo-bench/core';
import type { RoleConfig } from '@topo-bench/core/role-config';
import { ControlClient, type ControlTarget } from '../control-client.ts';
import { inParallel } from '../in-parallel.ts';
import type { Deployment, Runner, StartOptions } from '../runner.ts';
import { LocalDeployment, stopAll } from './deployment.ts';
import { goFirst } from './gateway-priority.ts';
import { roleEnvironment } from './role-environment.ts';
import { notReady } from './role-failure.ts';
import { RoleProcess } from './role-process.ts';

export interface LocalRunnerOptions {
  /** Path of the service entry file. */
  serviceEntry: string;
  /** Default: `TOPO_BENCH_NODE`, else the binary that runs this process. */
  nodeBinary?: string;
}

export function localRunner({ serviceEntry, nodeBinary }: LocalRunnerOptions): Runner {
  const binary = nodeBinary ?? (process.env.TOPO_BENCH_NODE || process.execPath);
  return { start: (configs, options) => new Start(configs, options, serviceEntry, binary).run() };
}

/** One start: it ends with a deployment, or with its first failure and every process gone. */
class Start {
  private readonly processes: RoleProcess[] = [];
  private readonly client = new ControlClient();
  /** Aborted with the first failure; whatever still waits is released by it. */
  private readonly failed = new AbortController();
  /** Names of roles that have not done the present part of the start: listening, or knowing their peers. */
  private pending: Set<string>;

  constructor(
    private readonly configs: readonly RoleConfig[],
    private readonly options: StartOptions,
    private readonly entry: string,
    private readonly nodeBinary: string,
  ) {
    this.pending = new Set(configs.map(({ name }) => name));
    // One listener per role that is waited for is no leak.
    setMaxListeners(0, this.failed.signal);
  }

  async run(): Promise<Deployment> {
    const { signal } = this.options;
    refuseImages(this.configs);
    const timeoutMs = this.options.readyTimeoutMs ?? 30_000 + 1000 * this.configs.length + longestWaitMs(this.configs);
    const timer = setTimeout(() => this.fail(this.timedOut(timeoutMs)), timeoutMs);
    const interrupt = (): void => this.fail(new TopoBenchError('TB_INTERRUPTED', 'interrupted while the services were starting'));
    signal?.addEventListener('abort', interrupt);
    try {
      if (signal?.aborted) interrupt();
      return await this.deploy();
    } catch (error) {
      this.fail(error);
      this.client.close();
      await stopAll(this.processes);
      throw this.failed.signal.reason;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
    }
  }

  private async deploy(): Promise<Deployment> {
    // Two per core: one starts while another waits for its disk, its pipe or for us.
    const limit = this.options.concurrency ?? 2 * availableParallelism();
    const roles = await inParallel(this.configs, limit, (config) => this.unlessFailed(() => this.listening(config)));
    this.pending = new Set(roles.map(({ name }) => name));
    const urls = new Map(roles.map(({ name, url }) => [name, url]));
    const targets = new Map(roles.map((target) => [target.name, target]));
    await inParallel(this.processes, this.processes.length, (role) =>
      this.unlessFailed(() => this.ready(role, urls, targets.get(role.config.name) as ControlTarget)),
    );
    const gateway = roles.find(({ kind }) => kind === 'gateway');
    return new LocalDeployment(this.processes, roles, this.client, gateway !== undefined && goFirst(gateway.pid));
  }

  private async listening(config: RoleConfig) {
    const { entry, nodeBinary } = this;
    const env = roleEnvironment(this.options.env?.[config.name]);
    const role = new RoleProcess(config, { nodeBinary, entry, logsDir: this.options.logsDir, env });
    this.processes.push(role);
    role.onDeath = (error) => this.fail(error);
    const { url, controlUrl, flightUrl } = await role.listening();
    const others = { ...(controlUrl !== undefined && { controlUrl }), ...(flightUrl !== undefined && { flightUrl }) };
    this.pending.delete(config.name);
    const { name, kind, node, controlToken } = config;
    return { name, kind, url, pid: role.pid, node, controlToken, ...others };
  }

  private async ready(role: RoleProcess, urls: ReadonlyMap<string, string>, target: ControlTarget): Promise<void> {
    const { name, peers } = role.config;
    const known = Object.keys(peers).map((peer) => [peer, urls.get(peer) ?? peers[peer]?.url] as const);
    const unknown = known.find(([, url]) => url === undefined);
    if (unknown) throw new TopoBenchError('TB_INTERNAL', `${name} has the peer ${unknown[0]}, which is not deployed`);
    await role.ready({ peers: Object.fromEntries(known) as Record<string, string> });
    await this.client.ask(target, 'GET', '/health', this.failed.signal);
    this.pending.delete(name);
  }

  /** The result of `work`, or the failure of the start if that comes first. */
  private async unlessFailed<Result>(work: () => Promise<Result>): Promise<Result> {
    const { signal } = this.failed;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const give = (): void => reject(signal.reason);
      signal.addEventListener('abort', give);
      work()
        .catch((error) => {
          this.fail(error);
          throw signal.reason;
        })
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', give));
    });
  }

  private fail(error: unknown): void {
    // Only the first reason counts: what follows is its consequence.
    this.failed.abort(error);
  }

  private timedOut(timeoutMs: number): TopoBenchError {
    const waiting = this.processes.filter(({ config }) => this.pending.has(config.name));
    const named = waiting.map(({ config, log }) => ({ name: config.name, log }));
    return notReady(named, this.pending.size, this.configs.length, timeoutMs);
  }
}

/** Most that a service of the user's may take by its own word. */
function longestWaitMs(configs: readonly RoleConfig[]): number {
  return Math.max(0, ...configs.map(({ userService }) => (userService?.readyWithinUs ?? 0) / 1e3));
}

/** @throws TopoBenchError `TB_RUNNER_NEEDS_CONTAINERS` before anything was started */
function refuseImages(configs: readonly RoleConfig[]): void {
  for (const { name, userService } of configs) {
    if (userService?.kind !== 'image') continue;
    throw new TopoBenchError(
      'TB_RUNNER_NEEDS_CONTAINERS',
      `"${name}" is the image ${userService.image}, and the runner "local" starts processes only`,
      {
        hint: 'start the container yourself and write `url: http://127.0.0.1:PORT` in place of `image`, or give the `command` that it runs',
      },
    );
  }
}
