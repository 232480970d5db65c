/** One start of a deployment in a namespace. It ends with a deployment, or with its first failure and no namespace. */
import { type DeploymentDocuments, type RoleConfig, TopoBenchError } from '@topo-bench/core';
import type { NetworkPolicyFigures } from '@topo-bench/core/schema/result';
import { type DeploymentPlan, hostNameOf } from '@topo-bench/deployment';
import {
  containerName,
  generatorContainer,
  keeperPort,
  kubernetesManifests,
  type ManifestOptions,
  namespaceManifest,
  type Pod as PlannedPod,
  type PodContainer,
  podsOf,
  servicePorts,
} from '@topo-bench/deployment/kubernetes';
import { ControlClient } from '../control-client.ts';
import { HttpDeployment, type HttpRole } from '../http-deployment.ts';
import { inParallel } from '../in-parallel.ts';
import { whenHealthy } from '../role-health.ts';
import type { Configure, Deployment, StartOptions } from '../runner.ts';
import { attemptStart, type StartAttempt } from '../start-attempt.ts';
import type { ApiClient } from './api-client.ts';
import { clusterError } from './api-error.ts';
import { Endings } from './endings.ts';
import { ForwardedPort } from './forwarded-port.ts';
import { GeneratorPods } from './generator-pods.ts';
import { KeptRoles } from './kept-roles.ts';
import { saveLogs } from './logs.ts';
import { createObjects, deleteNamespace } from './namespace.ts';
import { probeNetwork, whenServicesAnswer } from './network-probe.ts';
import { inCluster } from './placement.ts';
import type { Pod } from './pod.ts';
import { addressesOf, placeOf } from './pod-addresses.ts';
import { PodTracker } from './pod-tracker.ts';
import { type ReachedGateway, reachGateway, requireForwarding } from './reach-gateway.ts';
import { podProxyPath } from './resources.ts';
import { hostId, readHosts, readUsage, sumCpuUs } from './role-figures.ts';
import { hasNativeSidecars, nodePlacement } from './server-facts.ts';
import { podsReach } from './server-reach.ts';

/** Where and as what the roles are deployed. */
export interface ClusterPlace {
  api: ApiClient;
  /** Owned by this deployment alone. */
  namespace: string;
  image: string;
  labels: Readonly<Record<string, string>>;
}

const askedAtOnce = 16;
/** Policies that are enforced at all usually take effect within this time. */
const defaultPoliciesWithinMs = 2000;
/** An API server that restarts is back within this time. */
const proxyReturnsWithinMs = 20_000;
/** After the time-out of the pods, for reading the state of those that are late. */
const describeMs = 15_000;

export class Start {
  readonly #place: ClusterPlace;
  readonly #plan: DeploymentPlan;
  readonly #configure: Configure;
  readonly #options: StartOptions;
  readonly #client: ControlClient;
  readonly #pods: PlannedPod[];
  #tracker: PodTracker | undefined;
  /** Bound for the gateway, where users name it. */
  #port: ForwardedPort | undefined;
  /** By role. */
  readonly #gateways = new Map<string, ReachedGateway>();
  #generators: GeneratorPods | undefined;
  #isCreated = false;
  #stopped: Promise<void> | undefined;
  #onProblem: (pod: string, error: TopoBenchError) => void = () => undefined;

  constructor(place: ClusterPlace, plan: DeploymentPlan, configure: Configure, options: StartOptions) {
    this.#place = place;
    this.#plan = plan;
    this.#configure = configure;
    this.#options = options;
    this.#pods = podsOf(plan);
    const { api } = place;
    this.#client = new ControlClient({
      get agent() {
        return api.agent;
      },
      headers: () => api.headers(),
      returnsWithinMs: proxyReturnsWithinMs,
    });
  }

  async run(): Promise<Deployment> {
    const { signal, readyTimeoutMs } = this.#options;
    const timeoutMs = readyTimeoutMs ?? 60_000 + 1000 * this.#plan.roles.length;
    const timedOut = (): TopoBenchError => {
      const message = `the pods of ${this.#place.namespace} were not ready within ${timeoutMs / 1000} s`;
      return new TopoBenchError('TB_ROLE_NOT_READY', message);
    };
    return attemptStart(
      { timeoutMs: timeoutMs + describeMs, timedOut, signal },
      (attempt) => this.#deploy(attempt, timeoutMs),
      () => this.#stop(),
    );
  }

  async #deploy(attempt: StartAttempt, timeoutMs: number): Promise<Deployment> {
    const { api, namespace } = this.#place;
    this.#onProblem = (_, error) => attempt.fail(error);
    const { gatewayPort: localPort } = this.#options;
    if (localPort !== undefined) {
      this.#port = await ForwardedPort.open(localPort);
      await requireForwarding(api);
    }
    const documents = await this.#create(attempt);
    const names = this.#pods.map(({ name }) => name);
    const tracker = this.#tracker as PodTracker;
    await attempt.unlessFailed(() => this.#whenReady(tracker, names, attempt.signal, timeoutMs));
    const readyAtMs = performance.now();

    for (const planned of this.#pods) {
      const [{ role, ports }] = planned.containers as [PodContainer];
      if (role.kind !== 'gateway') continue;
      const running = tracker.podOf(planned.name) as Pod;
      const address = running.status.podIP as string;
      const gateway = { namespace, pod: running.metadata.name, address, port: ports.data };
      const isFirst = this.#gateways.size === 0;
      this.#gateways.set(role.name, await reachGateway(api, gateway, isFirst ? this.#port : undefined));
    }

    const configs = new Map(documents.roles.map(({ config }) => [config.name, config]));
    const roles = documents.roles.map(({ config, secrets }) => this.#role(config, secrets.controlToken));
    await inParallel(roles, askedAtOnce, (role) =>
      attempt.unlessFailed(() => whenHealthy(this.#client, role, attempt.signal)),
    );
    const others = roles.filter(({ kind }) => kind !== 'gateway').map(({ name }) => name);
    const gateways = roles.filter(({ kind }) => kind === 'gateway') as [HttpRole, ...HttpRole[]];
    for (const gateway of gateways) {
      const called = others.filter((name) => configs.get(gateway.name)?.peers[name] !== undefined);
      const peers = this.#plan.roles.find(({ name }) => name === gateway.name)?.peers ?? [];
      await attempt.unlessFailed(() => whenServicesAnswer(this.#client, gateway, called, peers));
    }
    const networkPolicies = await attempt.unlessFailed(() => this.#probe(roles, readyAtMs));
    const hosts = await attempt.unlessFailed(() => readHosts(this.#client, roles));
    const usageOf = roles.map((role) => ({ role, config: configs.get(role.name) as RoleConfig }));
    const onThisMachine = new Set(hosts.filter(({ isThisMachine }) => isThisMachine).map(({ host }) => host.id));
    const local = usageOf.filter(({ role }) => onThisMachine.has(role.host));
    const { isDirect } = this.#gateways.get(gateways[0].name) as ReachedGateway;
    const generators = new GeneratorPods({ ...this.#place, tracker, isDirect });
    this.#generators = generators;
    const endings = new Endings();
    const kept = this.#options.keepers
      ? new KeptRoles(this.#client, roles, (role) => this.#keeperUrlOf(role))
      : undefined;
    const known = { ended: endings.roles, hasEnded: (role: string) => endings.include(role), kept };
    const deployment = new HttpDeployment(roles, this.#client, {
      inside: {
        gatewayUrls: [...this.#gateways.keys()].map((name) => {
          return `http://${hostNameOf(name)}.${namespace}:${servicePorts.data}`;
        }),
        generators: (count, signal) => generators.start(count, signal),
      },
      hosts: hosts.map(({ host }) => host),
      networkPolicies,
      usage: (options) => readUsage(this.#client, usageOf, { ...options, ...known }),
      detachedCpuUs: async () => sumCpuUs(await readUsage(this.#client, local, known)),
      ...(kept && {
        apply: (change, signal) => kept.apply(change, signal),
        keepRules: (role, rules) => kept.keepRules(role, rules),
      }),
      stop: () => this.#stop(),
    });
    this.#onProblem = (name, error) => {
      generators.reportDeath(name, error);
      const affected = this.#pods.filter((planned) => name === '' || planned.name === name);
      for (const { containers } of affected) {
        for (const { role } of containers) {
          endings.add(role.name);
          deployment.reportDeath(role.name, error);
        }
      }
    };
    return deployment;
  }

  /** Probes each service past its enforcement point. */
  async #probe(roles: readonly HttpRole[], readyAtMs: number): Promise<NetworkPolicyFigures | undefined> {
    const services = this.#plan.roles.filter(({ kind, name, responsibleFor: [index = -1], userImage }) => {
      return kind === 'service' && userImage === undefined && this.#plan.executorOf[index] !== name;
    });
    const gateway = roles.find(({ kind }) => kind === 'gateway');
    if (services.length === 0 || !gateway) return undefined;
    const names = services.map(({ name }) => name);
    const { policiesWithinMs = defaultPoliciesWithinMs } = this.#options;
    return probeNetwork(this.#client, gateway, names, { readyAtMs, withinMs: policiesWithinMs });
  }

  /** Creates the namespace and all objects in it. */
  async #create(attempt: StartAttempt): Promise<DeploymentDocuments> {
    const { api, namespace, image, labels } = this.#place;
    const { signal } = attempt;
    const native = await hasNativeSidecars(api).catch((error) => {
      throw clusterError('read the version of the server', api.server, error);
    });
    const { keepers = false } = this.#options;
    const options: ManifestOptions = { namespace, image, labels, nativeSidecars: native, nodes: 'spread', keepers };
    const place = inCluster(this.#plan, await podsReach(api));
    this.#isCreated = true;
    await createObjects(api, [namespaceManifest(options)], signal);
    const documents = this.#configure(place);
    const nodes = await nodePlacement(
      api,
      documents.graph.nodes.map(({ name }) => name),
    );
    const manifests = kubernetesManifests(this.#plan, documents, { ...options, nodes });
    this.#tracker = new PodTracker(api, namespace, (name, error) => this.#onProblem(name, error));
    const { configMaps, secrets, services, networkPolicies, workloads } = manifests;
    await attempt.unlessFailed(async () => {
      await createObjects(api, [...configMaps, ...secrets, ...services, ...networkPolicies], signal);
      await createObjects(api, workloads, signal);
    });
    return documents;
  }

  async #whenReady(tracker: PodTracker, names: string[], signal: AbortSignal, timeoutMs: number): Promise<void> {
    const inTime = AbortSignal.timeout(timeoutMs);
    try {
      await tracker.whenReady(names, AbortSignal.any([signal, inTime]));
    } catch (error) {
      if (!inTime.aborted || signal.aborted) throw error;
      throw await tracker.notReady(names, timeoutMs);
    }
  }

  #role(config: RoleConfig, controlToken: string): HttpRole {
    const { api, namespace } = this.#place;
    const { name, kind, node } = config;
    const { pod, container } = placeOf(name, this.#pods);
    const running = this.#tracker?.podOf(pod.name) as Pod;
    const [first] = this.#gateways.values();
    const isDirect = first?.isDirect ?? false;
    const cluster = { api, namespace, isDirect, gateway: this.#gateways.get(name) };
    return {
      ...{ name, kind, node, host: hostId(running.spec.nodeName as string), controlToken },
      ...addressesOf(running, container, config, cluster),
    };
  }

  #keeperUrlOf(role: string): string {
    const { api, namespace } = this.#place;
    const { pod, container } = placeOf(role, this.#pods);
    const running = this.#tracker?.podOf(pod.name);
    if (!running) throw new TopoBenchError('TB_ROLE_DIED', `${role} is not reachable: its pod ${pod.name} is gone`);
    return api.server + podProxyPath(namespace, running.metadata.name, keeperPort(container.ports));
  }

  #stop(): Promise<void> {
    this.#stopped ??= this.#tearDown();
    return this.#stopped;
  }

  async #tearDown(): Promise<void> {
    const { api, namespace } = this.#place;
    this.#client.close();
    this.#port?.close();
    for (const gateway of this.#gateways.values()) gateway.close();
    await this.#saveLogs();
    await this.#tracker?.stop();
    if (this.#isCreated) await deleteNamespace(api, namespace);
  }

  async #saveLogs(): Promise<void> {
    const { api, namespace } = this.#place;
    const containers = this.#pods.flatMap(({ name, containers: all }) => {
      const pod = this.#tracker?.podOf(name)?.metadata.name;
      return pod === undefined
        ? []
        : all.map(({ role }) => ({ pod, role: role.name, container: containerName(role.name) }));
    });
    const names = this.#generators?.names ?? [];
    const generators = names.map((pod) => ({ pod, role: pod, container: generatorContainer }));
    await saveLogs(api, namespace, [...containers, ...generators], this.#options.logsDir);
  }
}
