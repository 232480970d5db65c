/** The addresses of roles in pods: host names of Services, and loopback between the containers of one pod. */
import type { DeploymentPlan } from '../../deployment-plan.ts';
import { hostNameOf } from '../../host-name.ts';
import type { Placement } from '../../placement.ts';
import { type Pod, type PodContainer, podsOf, servicePorts } from './pods.ts';

/** @param storeUrl translates the connection string of a store for the pods */
export function inPods(plan: DeploymentPlan, storeUrl: Placement['storeUrl'] = (url) => url): Placement {
  const places = new Map(
    podsOf(plan).flatMap((pod) => pod.containers.map((container) => [container.role.name, { pod, container }])),
  ) as ReadonlyMap<string, { pod: Pod; container: PodContainer }>;
  const placeOf = ({ name }: { name: string }) => places.get(name) as { pod: Pod; container: PodContainer };
  return {
    listen: (role) => {
      const { data, control, flight } = placeOf(role).container.ports;
      return { host: '0.0.0.0', port: data, controlPort: control, flightPort: flight };
    },
    urlOf: (role, from) => {
      const { pod, container } = placeOf(role);
      // A sidecar next to its service needs no network.
      if (from && placeOf(from).pod === pod) return `http://127.0.0.1:${container.ports.data}`;
      return `http://${hostNameOf(role.name)}:${servicePorts.data}`;
    },
    controlUrlOf: (role) => `http://${hostNameOf(role.name)}:${servicePorts.control}`,
    storeUrl,
    network: 'real',
  };
}
