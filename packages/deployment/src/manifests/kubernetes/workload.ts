/** The Deployment of a pod, under the restricted Pod Security Standard. */
import { labels } from '@topo-bench/core';
import { hostNameOf } from '../../host-name.ts';
import { configMapName, type DocumentFiles, graphMapName, secretName } from './config-files.ts';
import { podSecurity, roleContainer } from './container.ts';
import { type KubernetesObject, type ManifestOptions, nodeLabel, podLabel } from './object.ts';
import type { Pod, PodContainer } from './pods.ts';

/** A role drains and exits within 1 s of its signal. */
const terminationGracePeriodSeconds = 5;

/** @param nodeName name of the topology's node of the pod */
export function workload(pod: Pod, nodeName: string, files: DocumentFiles, options: ManifestOptions): KubernetesObject {
  const { name } = pod;
  const { namespace, labels: shared } = options;
  const own = { ...shared, [podLabel]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels: own },
    spec: {
      replicas: 1,
      // Two pods of one role would answer for each other.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { [podLabel]: name } },
      template: {
        metadata: { labels: { ...own, [labels.role]: name } },
        spec: {
          ...containers(pod, files, options),
          volumes: [...pod.containers.map(documentsVolume), { name: 'tmp', emptyDir: {} }],
          ...podSecurity,
          terminationGracePeriodSeconds,
          ...(options.nodes === 'labelled' ? { nodeSelector: { [nodeLabel]: nodeName } } : spread(options)),
        },
      },
    },
  };
}

/** Name of the container of a role: its host name, unique in the deployment. */
export function containerName(role: string): string {
  return hostNameOf(role);
}

function containers(pod: Pod, files: DocumentFiles, options: ManifestOptions): Record<string, unknown> {
  const all = pod.containers.map((container) => {
    const { name } = container.role;
    return roleContainer(container, containerName(name), volumeName(container), files, options);
  });
  const [sidecar, ...others] = all;
  if (others.length === 0 || !options.nativeSidecars) return { containers: all };
  return { initContainers: [{ ...sidecar, restartPolicy: 'Always' }], containers: others };
}

function documentsVolume(container: PodContainer): Record<string, unknown> {
  const { name } = container.role;
  const sources = [
    { configMap: { name: graphMapName } },
    { configMap: { name: configMapName(name) } },
    { secret: { name: secretName(name) } },
  ];
  return { name: volumeName(container), projected: { sources } };
}

function volumeName({ role }: PodContainer): string {
  return role.kind;
}

/** Distributes the pods of a deployment evenly over the nodes of the cluster. */
export function spread({ labels: shared }: Pick<ManifestOptions, 'labels'>): Record<string, unknown> {
  const evenly = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: shared },
  };
  return { topologySpreadConstraints: [evenly] };
}
