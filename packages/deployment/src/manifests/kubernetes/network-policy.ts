/**
 * The NetworkPolicy of a pod: its data ports are open to the pods of the roles that send to it, and to no other pod. A
 * network plug-in may enforce it late or never, so it is a second wall behind the tokens.
 */
import type { DeploymentDocuments, RoleConfig } from '@topo-bench/core';
import type { DeploymentPlan, RolePlan } from '../../deployment-plan.ts';
import { type KubernetesObject, type ManifestOptions, podLabel } from './object.ts';
import { type Pod, type PodContainer, podsOf } from './pods.ts';

/** @returns one policy per pod, in the order of the pods */
export function networkPolicies(
  plan: DeploymentPlan,
  documents: DeploymentDocuments,
  { namespace, labels }: ManifestOptions,
): KubernetesObject[] {
  const pods = podsOf(plan);
  const podOf = new Map(pods.flatMap((pod) => pod.containers.map(({ role }) => [role.name, pod.name] as const)));
  const senders = sendersOf(plan);
  const configs = new Map(documents.roles.map(({ config }) => [config.name, config]));

  const dataRule = (pod: Pod, { role, ports }: PodContainer): object[] => {
    const config = configs.get(role.name) as RoleConfig;
    const open = openPorts(config.arrow?.table.flight ? [ports.data, ports.flight] : [ports.data]);
    if (isForClients(config, role, plan)) return [{ ports: open }];
    const from = [...new Set(senders.get(role.name)?.map((name) => podOf.get(name) as string))];
    // Containers of one pod reach each other on its loopback interface, to which no policy applies.
    const others = from.filter((name) => name !== pod.name);
    if (others.length === 0) return [];
    const podSelector = { matchExpressions: [{ key: podLabel, operator: 'In', values: others }] };
    return [{ from: [{ podSelector }], ports: open }];
  };

  return pods.map((pod) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: pod.name, namespace, labels: { ...labels, [podLabel]: pod.name } },
    spec: {
      podSelector: { matchLabels: { [podLabel]: pod.name } },
      policyTypes: ['Ingress'],
      ingress: [
        ...pod.containers.flatMap((container) => dataRule(pod, container)),
        // Control routes have a token. Their clients are probes, the API server's proxy and the gateway.
        { ports: openPorts(pod.containers.map(({ ports }) => ports.control)) },
      ],
    },
  }));
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
