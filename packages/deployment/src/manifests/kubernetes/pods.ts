/**
 * The pods of a deployment and the ports of their containers. Containers of one pod share its ports, so a service next
 * to its sidecar has other ports than a service alone.
 */
import { architectureTable } from '@topo-bench/core';
import type { DeploymentPlan, RolePlan } from '../../deployment-plan.ts';
import { hostNameOf } from '../../host-name.ts';

export interface Ports {
  data: number;
  control: number;
  /** Arrow Flight. */
  flight: number;
}

export interface PodContainer {
  role: RolePlan;
  ports: Ports;
}

export interface Pod {
  /** Name of its Deployment: host name of its last role, the service where there is one. */
  name: string;
  /** Index into the nodes of the topology. */
  node: number;
  /** The enforcement point first where it shares the pod of its service. */
  containers: readonly PodContainer[];
}

/** Ports of every Service, whatever the ports of the container behind it. */
export const servicePorts: Ports = { data: 8080, control: 8081, flight: 8815 };

const kindsInPodOfService = new Set(
  Object.values(architectureTable).flatMap(({ role, inPodOfService }) => (role && inPodOfService ? [role] : [])),
) as ReadonlySet<RolePlan['kind']>;

/** In the order of the plan: the gateway first. A sidecar is in the pod of its service. */
export function podsOf({ roles }: DeploymentPlan): Pod[] {
  const sidecars = new Map(
    roles.flatMap((role) =>
      kindsInPodOfService.has(role.kind) ? role.responsibleFor.map((service) => [service, role] as const) : [],
    ),
  );
  return roles.flatMap((role): Pod[] => {
    if (kindsInPodOfService.has(role.kind)) return [];
    const sidecar = role.kind === 'service' ? sidecars.get(role.responsibleFor[0] as number) : undefined;
    const members = sidecar ? [sidecar, role] : [role];
    const containers = members.map((member, slot) => ({ role: member, ports: portsOf(slot) }));
    return [{ name: hostNameOf(role.name), node: role.node, containers }];
  });
}

/** Port of the keeper of a role, next to that of its control routes. */
export function keeperPort({ control }: Ports): number {
  return control + 2;
}

function portsOf(slot: number): Ports {
  const { data, control, flight } = servicePorts;
  return { data: data + 10 * slot, control: control + 10 * slot, flight: flight + 10 * slot };
}
