/** The Service of a role: its host name for the other roles, at the same ports whatever those of its container. */
import { hostNameOf } from '../../host-name.ts';
import { type KubernetesObject, type ManifestOptions, podLabel } from './object.ts';
import { type Pod, type PodContainer, type Ports, servicePorts } from './pods.ts';

export function service(pod: Pod, { role, ports }: PodContainer, options: ManifestOptions): KubernetesObject {
  const { namespace, labels } = options;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: hostNameOf(role.name), namespace, labels: { ...labels, [podLabel]: pod.name } },
    spec: {
      selector: { [podLabel]: pod.name },
      ports: (Object.keys(servicePorts) as (keyof Ports)[]).map((name) => {
        return { name, port: servicePorts[name], targetPort: ports[name] };
      }),
    },
  };
}
