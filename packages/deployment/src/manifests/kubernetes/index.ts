/** The manifests of a deployment on Kubernetes, for the runner and for files. */
import type { DeploymentDocuments } from '@topo-bench/core';
import type { DeploymentPlan } from '../../deployment-plan.ts';
import { configMaps, documentFiles, secrets } from './config-files.ts';
import { namespaceManifest } from './namespace.ts';
import { networkPolicies } from './network-policy.ts';
import type { KubernetesObject, ManifestOptions } from './object.ts';
import { type Pod, podsOf } from './pods.ts';
import { service } from './service.ts';
import { workload } from './workload.ts';

export { containerSecurity, podSecurity } from './container.ts';
export {
  generatorContainer,
  generatorName,
  generatorPod,
  generatorPort,
  generatorRole,
  generatorSecret,
} from './generator.ts';
export { namespaceManifest } from './namespace.ts';
export type { KubernetesObject, ManifestOptions, ObjectMeta } from './object.ts';
export { nodeLabel } from './object.ts';
export { inPods } from './placement.ts';
export { keeperPort, type Pod, type PodContainer, podsOf, servicePorts } from './pods.ts';
export { containerName } from './workload.ts';

/** By purpose. Everything but the secrets can be committed. */
export interface KubernetesManifests {
  namespace: KubernetesObject;
  /** Graph and configurations. */
  configMaps: KubernetesObject[];
  secrets: KubernetesObject[];
  /** One per role. */
  services: KubernetesObject[];
  /** One per pod. */
  networkPolicies: KubernetesObject[];
  /** Deployments, one per pod. */
  workloads: KubernetesObject[];
}

/**
 * @param documents with the addresses of {@link inPods}
 * @throws TopoBenchError `TB_MANIFEST_TOO_LARGE`
 */
export function kubernetesManifests(
  plan: DeploymentPlan,
  documents: DeploymentDocuments,
  options: ManifestOptions,
): KubernetesManifests {
  const pods = podsOf(plan);
  const files = documentFiles(documents);
  const nodeOf = ({ node }: Pod): string => documents.graph.nodes[node]?.name as string;
  return {
    namespace: namespaceManifest(options),
    configMaps: configMaps(documents, options),
    secrets: secrets(documents, options),
    services: pods.flatMap((pod) => pod.containers.map((container) => service(pod, container, options))),
    networkPolicies: networkPolicies(plan, documents, options),
    workloads: pods.map((pod) => workload(pod, nodeOf(pod), files, options)),
  };
}
