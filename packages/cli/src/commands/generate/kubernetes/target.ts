/** A Kustomize project for a cluster. */
import { kustomizeFiles, kustomizeSecrets } from '@topo-bench/deployment/manifests';
import type { Target } from '../target.ts';

export const kubernetesTarget: Target = {
  files: kustomizeFiles,
  secrets: (project, secrets) => kustomizeSecrets({ ...project, ...secrets }),
  // Only the user who applies them reads them.
  secretMode: 0o600,
  start: 'kubectl apply -k base',
};
