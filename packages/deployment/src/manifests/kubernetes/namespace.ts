/** The namespace of a deployment. The API server admits only pods of the restricted Pod Security Standard into it. */
import type { KubernetesObject, ManifestOptions } from './object.ts';

export function namespaceManifest({ namespace: name, labels }: ManifestOptions): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        ...labels,
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
    },
  };
}
