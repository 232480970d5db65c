/** Addresses of a role in a pod, as seen from this process. */
import { hostPart, type RoleConfig, TopoBenchError } from '@topo-bench/core';
import { hostNameOf } from '@topo-bench/deployment';
import { type Pod as PlannedPod, type PodContainer, servicePorts } from '@topo-bench/deployment/kubernetes';
import type { HttpRole } from '../http-deployment.ts';
import type { ApiClient } from './api-client.ts';
import type { Pod } from './pod.ts';
import type { ReachedGateway } from './reach-gateway.ts';
import { podProxyPath } from './resources.ts';

/** The planned pod and container of a role. */
export function placeOf(role: string, pods: readonly PlannedPod[]): { pod: PlannedPod; container: PodContainer } {
  for (const pod of pods) {
    const container = pod.containers.find((one) => one.role.name === role);
    if (container) return { pod, container };
  }
  throw new TopoBenchError('TB_INTERNAL', `no pod was planned for ${role}`);
}

export interface ReachedCluster {
  api: ApiClient;
  namespace: string;
  /** Whether pods are reached from here. */
  isDirect: boolean;
  /** How the role is reached if it is a gateway. */
  gateway: ReachedGateway | undefined;
}

export function addressesOf(
  running: Pod,
  { ports: { data, control, flight } }: PodContainer,
  { name, arrow }: RoleConfig,
  { api, namespace, isDirect, gateway }: ReachedCluster,
): Pick<HttpRole, 'url' | 'controlUrl' | 'flightUrl'> {
  // Elsewhere only pods of the cluster reach the others.
  const host = isDirect ? hostPart(running.status.podIP as string) : `${hostNameOf(name)}.${namespace}`;
  const portOf = (own: number, service: number): number => (isDirect ? own : service);
  return {
    url: gateway?.url ?? `http://${host}:${portOf(data, servicePorts.data)}`,
    controlUrl: api.server + podProxyPath(namespace, running.metadata.name, control),
    ...(arrow?.table.flight && { flightUrl: `grpc+tcp://${host}:${portOf(flight, servicePorts.flight)}` }),
  };
}
