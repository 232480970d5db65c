/** One start of a deployment on an engine. It ends with a deployment, or with its first failure and nothing left. */
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Engine, ownerLabel, type ServiceImage } from '@topo-bench/containers';
import { type DeploymentDocuments, labels, TopoBenchError } from '@topo-bench/core';
import type { HostEnvironment } from '@topo-bench/core/schema/result';
import { type DeploymentPlan, hostNameOf } from '@topo-bench/deployment';
import { ControlClient } from '../control-client.ts';
import { HttpDeployment, type HttpRole } from '../http-deployment.ts';
import { inParallel } from '../in-parallel.ts';
import { notReady } from '../not-ready.ts';
import { whenHealthy } from '../role-health.ts';
import type { Deployment, ProcessChange, StartOptions } from '../runner.ts';
import { attemptStart, type StartAttempt } from '../start-attempt.ts';
import { addressesOf, publishedOn } from './container-addresses.ts';
import { containersCpuUs, containersHere, containerUsage, keepUsage } from './container-usage.ts';
import { cpuSetsOf } from './cpu-sets.ts';
import { engineHost } from './engine-host.ts';
import { joinServers, removeServers } from './joined-servers.ts';
import { RoleContainer } from './role-container.ts';
import { createNetwork, type RunNetwork } from './run-network.ts';
import { hasUserImage, UserContainer } from './user-container.ts';
import { whileUnanswered } from './watched-container.ts';

const stopGraceS = 2;
/** The engine does its work for one container mostly one step after another. */
const containersPerCore = 2;
const removedAtOnce = 16;

export class Start {
  readonly #engine: Engine;
  readonly #image: ServiceImage;
  readonly #plan: DeploymentPlan;
  readonly #documents: DeploymentDocuments;
  readonly #options: StartOptions;
  readonly #client = new ControlClient();
  readonly #containers: RoleContainer[] = [];
  readonly #run = randomBytes(4).toString('hex');
  readonly #pending: Set<string>;
  #network: RunNetwork | undefined;

  constructor(
    engine: Engine,
    image: ServiceImage,
    plan: DeploymentPlan,
    documents: DeploymentDocuments,
    options: StartOptions,
  ) {
    this.#engine = engine;
    this.#image = image;
    this.#plan = plan;
    this.#documents = documents;
    this.#options = options;
    this.#pending = new Set(documents.roles.map(({ config }) => config.name));
  }

  run(): Promise<Deployment> {
    const { signal, readyTimeoutMs } = this.#options;
    const timeoutMs = readyTimeoutMs ?? 30_000 + 1000 * this.#documents.roles.length + this.#maxReadyWithinMs;
    return attemptStart(
      { timeoutMs, timedOut: () => this.#timedOut(timeoutMs), signal },
      (attempt) => this.#deploy(attempt),
      async () => {
        this.#client.close();
        await this.#stop();
      },
    );
  }

  async #deploy(attempt: StartAttempt): Promise<Deployment> {
    const { roles } = this.#documents;
    const owned = { [labels.run]: this.#run, [labels.owner]: await ownerLabel() };
    const network = await createNetwork(this.#engine, `tb-${this.#run}`, owned);
    this.#network = network;
    await joinServers(this.#engine, network.name, this.#options.servers ?? []);
    const graph = await promisify(gzip)(JSON.stringify(this.#documents.graph));
    const host = engineHost(this.#engine);
    const cpuSets = cpuSetsOf(this.#plan, this.#engine.facts);
    const limit = containersPerCore * this.#engine.facts.cores;
    const targets = await inParallel(roles, limit, (documents) =>
      attempt.unlessFailed(async (): Promise<HttpRole> => {
        const { config, secrets } = documents;
        const container = this.#containerOf(config.name, attempt);
        const place = {
          network: network.name,
          labels: { ...owned, [labels.role]: config.name },
          cpuSet: cpuSets.of(config.node),
        };
        await container.user?.start(secrets.token, { ...place, name: `${this.#nameOf(config.name)}.user` });
        await container.start(graph, {
          ...place,
          image: this.#image.id,
          publishOn: network.direct ? undefined : publishedOn(this.#engine),
          gatewayPort: this.#options.gatewayPort,
        });
        const { name, kind, node } = config;
        const target = {
          ...{ name, kind, node, host: host.id, controlToken: secrets.controlToken },
          ...addressesOf(container.info, config, network, this.#engine),
          ...(kind === 'gateway' && { goesFirst: true }),
        };
        await whenHealthy(this.#client, target, attempt.signal);
        this.#pending.delete(name);
        return target;
      }),
    );
    const node = await attempt.unlessFailed(() => this.#nodeVersionOf(targets));
    const containers = this.#inOrder();
    const here = containersHere(this.#engine, containers);
    const deployment = new HttpDeployment(targets, this.#client, {
      hosts: [{ ...host, node }],
      usage: (options) => Promise.all(containers.map((container) => containerUsage(this.#engine, container, options))),
      detachedCpuUs: async () => containersCpuUs(this.#engine, here),
      keepRules: (role, rules) => containers.find(({ config }) => config.name === role)?.keepRules(rules),
      apply: (change, signal) => this.#apply(change, targets, network, signal),
      stop: () => this.#stop(),
    });
    for (const container of containers) {
      for (const one of [container, container.user]) {
        if (!one) continue;
        one.onDeath = (error) => deployment.reportDeath(container.config.name, error);
        if (one.death) deployment.reportDeath(container.config.name, one.death);
      }
    }
    return deployment;
  }

  /** @throws TopoBenchError `TB_ROLE_NOT_READY` when the gateway is back under another address */
  async #apply(
    { kind, role }: ProcessChange,
    targets: readonly HttpRole[],
    network: RunNetwork,
    signal: AbortSignal,
  ): Promise<void> {
    const container = this.#containers.find(({ config }) => config.name === role);
    const target = targets.find(({ name }) => name === role);
    if (!container || !target) return;
    if (kind === 'freeze') return container.pause();
    if (kind === 'thaw') return container.unpause();
    if (kind === 'kill') {
      await keepUsage(this.#engine, container);
      return container.kill();
    }
    await container.startAgain();
    const addresses = addressesOf(container.info, container.config, network, this.#engine);
    // Peers use names. Load generators and this process use addresses, which the engine may choose anew.
    if (target.kind === 'gateway' && addresses.url !== target.url) {
      const message = `the gateway came back at ${addresses.url}, expected ${target.url}`;
      throw new TopoBenchError('TB_ROLE_NOT_READY', message, { hint: 'crash other roles, or use `runner: local`' });
    }
    Object.assign(target, addresses);
    await whenHealthy(this.#client, target, signal);
  }

  /** The version of Node.js in the image that all roles share. Images do not state it; a role does. */
  async #nodeVersionOf([first]: readonly HttpRole[]): Promise<string> {
    if (!first) return 'unknown';
    return (await this.#client.ask<HostEnvironment>(first, 'GET', '/control/host')).node;
  }

  #containerOf(name: string, attempt: StartAttempt): RoleContainer {
    const index = this.#documents.roles.findIndex(({ config }) => config.name === name);
    const [documents, plan] = [this.#documents.roles[index], this.#plan.roles[index]];
    if (!documents || !plan) throw new TopoBenchError('TB_INTERNAL', `${name} is not in the plan`);
    const container = new RoleContainer(this.#engine, documents, plan, this.#nameOf(name), this.#options.logsDir);
    if (hasUserImage(plan)) container.user = new UserContainer(this.#engine, plan, container.log);
    for (const one of [container, container.user]) if (one) one.onDeath = (error) => attempt.fail(error);
    this.#containers.push(container);
    return container;
  }

  #nameOf(role: string): string {
    return `tb-${this.#run}-${hostNameOf(role)}`;
  }

  /** Max `readyWithin` of all user-supplied services. */
  get #maxReadyWithinMs(): number {
    const { roles } = this.#documents;
    return Math.max(0, ...roles.map(({ config: { userService } }) => (userService?.readyWithinUs ?? 0) / 1e3));
  }

  /** The containers in the order of the documents. They start in parallel. */
  #inOrder(): RoleContainer[] {
    const byName = new Map(this.#containers.map((container) => [container.config.name, container]));
    return this.#documents.roles.flatMap(({ config }) => byName.get(config.name) ?? []);
  }

  /**
   * Removes everything. An engine that restarts gets time to come back.
   * @throws TopoBenchError `TB_NOT_REMOVED`
   */
  async #stop(): Promise<void> {
    try {
      await whileUnanswered(() => this.#remove());
    } catch (error) {
      throw this.#notRemoved(error as Error);
    }
  }

  async #remove(): Promise<void> {
    await inParallel(this.#containers, removedAtOnce, async (container) => {
      await Promise.all([container.remove(stopGraceS), container.user?.remove(stopGraceS)]);
    });
    if (!this.#network) return;
    await removeServers(this.#engine, this.#network.name, this.#options.servers ?? []);
    await this.#network.remove();
  }

  #notRemoved(cause: Error): TopoBenchError {
    const message = `cannot remove the containers of tb-${this.#run}: ${cause.message}`;
    return new TopoBenchError('TB_NOT_REMOVED', message, {
      hint: 'when the engine answers again: topo-bench down --all',
      cause,
    });
  }

  #timedOut(timeoutMs: number): TopoBenchError {
    const waiting = this.#containers.filter(({ config }) => this.#pending.has(config.name));
    const named = waiting.map(({ config, log }) => ({ name: config.name, log }));
    return notReady(named, this.#pending.size, this.#documents.roles.length, timeoutMs);
  }
}
