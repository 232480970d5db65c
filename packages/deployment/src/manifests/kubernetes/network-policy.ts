/**
 * The NetworkPolicy of a pod: its data ports are open to the pods of the roles that send to it, and to no other pod. It
 * reaches the pods that it sends to, and outside of the deployment only its database or user-supplied service. A
 * network plug-in may enforce a policy late or never, so it is a second wall behind the tokens.
 */
import type { DeploymentDocuments, RoleConfig, RoleSecrets } from '@topo-bench/core';
import type { DeploymentPlan, RolePlan } from '../../deployment-plan.ts';
import { type KubernetesObject, type ManifestOptions, podLabel } from './object.ts';
import { keeperPort, type Pod, type PodContainer, podsOf } from './pods.ts';

/** @returns one policy per pod, in the order of the pods */
export function networkPolicies(
  plan: DeploymentPlan,
  documents: DeploymentDocuments,
  { namespace, labels, keepers = false }: ManifestOptions,
): KubernetesObject[] {
  const pods = podsOf(plan);
  const podOf = new Map(pods.flatMap((pod) => pod.containers.map(({ role }) => [role.name, pod.name] as const)));
  const containerOf = new Map(pods.flatMap(({ containers }) => containers.map((one) => [one.role.name, one] as const)));
  const senders = sendersOf(plan);
  const configs = new Map(documents.roles.map(({ config }) => [config.name, config]));
  const secrets = new Map(documents.roles.map((role) => [role.config.name, role.secrets]));
  const controlPorts = [...new Set(pods.flatMap(({ containers }) => containers.map(({ ports }) => ports.control)))];
  const ofDeployment = [{ podSelector: { matchLabels: labels } }];

  const dataRule = (pod: Pod, { role, ports }: PodContainer): object[] => {
    const config = configs.get(role.name) as RoleConfig;
    const open = openPorts(config.arrow?.table.flight ? [ports.data, ports.flight] : [ports.data]);
    if (isForClients(config, role, plan)) return [{ ports: open }];
    const from = [...new Set(senders.get(role.name)?.map((name) => podOf.get(name) as string))];
    // Containers of one pod reach each other on its loopback interface, to which no policy applies.
    const others = from.filter((name) => name !== pod.name);
    if (others.length === 0) return [];
    return [{ from: [podsNamed(others)], ports: open }];
  };

  /** The roles that those of a pod send to, by the port behind which they are. */
  const targetRules = (pod: Pod): object[] => {
    const podsByPort = new Map<number, Set<string>>();
    for (const peer of pod.containers.flatMap(({ role }) => role.peers)) {
      const target = podOf.get(peer);
      const port = containerOf.get(peer)?.ports.data;
      if (target === undefined || port === undefined || target === pod.name) continue;
      podsByPort.set(port, (podsByPort.get(port) ?? new Set()).add(target));
    }
    return [...podsByPort].map(([port, names]) => ({ to: [podsNamed([...names])], ports: openPorts([port]) }));
  };
  const outside = ({ role: { name } }: PodContainer): object[] =>
    outsideAddresses(configs.get(name) as RoleConfig, secrets.get(name) as RoleSecrets).map(portsOf);
  // The gateway also sends the probes that must find the services closed.
  const insideRules = (pod: Pod): object[] =>
    pod.containers.some(({ role }) => role.kind === 'gateway')
      ? [{ to: ofDeployment }]
      : [...targetRules(pod), { to: ofDeployment, ports: openPorts(controlPorts) }];

  return pods.map((pod) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: pod.name, namespace, labels: { ...labels, [podLabel]: pod.name } },
    spec: {
      podSelector: { matchLabels: { [podLabel]: pod.name } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        ...pod.containers.flatMap((container) => dataRule(pod, container)),
        // Control routes have a token. Their clients are probes, the API server's proxy and the gateway.
        {
          ports: openPorts(
            pod.containers.flatMap(({ ports }) => (keepers ? [ports.control, keeperPort(ports)] : [ports.control])),
          ),
        },
      ],
      egress: [...insideRules(pod), ...distinct(pod.containers.flatMap(outside)), names],
    },
  }));
}

/** The name servers of a cluster have no address or label that is the same everywhere. */
const names = {
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

/** Addresses that a role opens connections to, apart from roles: its database, and a service of the user elsewhere. */
function outsideAddresses({ peers, userService }: RoleConfig, { store }: RoleSecrets): string[] {
  const services = Object.values(peers).flatMap(({ url, userSupplied }) => (userSupplied && url ? [url] : []));
  const own = userService?.kind === 'url' ? [userService.origin] : [];
  return [...(store ? [store.url] : []), ...own, ...services];
}

/**
 * Those of all hosts that a URL names. Absent, which is any port, where the pod behind a name may have another port: a
 * Service of the cluster, and databases that name their members or their port elsewhere.
 */
function portsOf(url: string): { ports?: object[] } {
  const [, scheme = '', authority = ''] = /^([^:]+):\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(url) ?? [];
  const hosts = authority.split(',').map((host) => host.replace(/:\d+$/, ''));
  if (hosts.some(mayBeOfCluster) || scheme === 'mongodb' || /[?&]port=/.test(url)) return {};
  const ports = authority.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? defaultPorts[scheme]));
  return ports.every(Number.isInteger) ? { ports: openPorts([...new Set(ports)]) } : {};
}

/** A Service is named `name`, `name.namespace`, or with `.svc` behind. */
function mayBeOfCluster(host: string): boolean {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)?$/i.test(host) || /\.svc(\.|$)|\.cluster\.local\.?$/i.test(host);
}

const defaultPorts: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mariadb: 3306,
  redis: 6379,
  rediss: 6379,
};

function podsNamed(values: readonly string[]): object {
  return { podSelector: { matchExpressions: [{ key: podLabel, operator: 'In', values }] } };
}

/** A peer of both containers of a pod is one rule. */
function distinct(rules: readonly object[]): object[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** Clients send requests to the gateway, and read items and columns where the topology offers them. */
function isForClients({ items, arrow, persistence }: RoleConfig, { kind, name }: RolePlan, plan: DeploymentPlan) {
  if (kind === 'gateway' || items !== undefined || arrow !== undefined) return true;
  // Without an enforcement point clients read the items of the service itself.
  return persistence !== undefined && plan.executorOf.includes(name);
}

/** By role: the names of the roles that send data to it. */
function sendersOf({ roles }: DeploymentPlan): Map<string, string[]> {
  const senders = new Map<string, string[]>();
  for (const { name, peers } of roles) {
    for (const peer of peers) senders.set(peer, [...(senders.get(peer) ?? []), name]);
  }
  return senders;
}

function openPorts(ports: readonly number[]): object[] {
  return ports.map((port) => ({ protocol: 'TCP', port }));
}
