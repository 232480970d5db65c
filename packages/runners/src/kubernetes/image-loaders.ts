/** Ways to put an image into a cluster without a registry: the tools of local clusters, each with its command. */
import { existsSync } from 'node:fs';

export interface ClusterFacts {
  /** Context of the kubeconfig. */
  context: string;
  /** Whether its only node is this machine, so that its containerd may be the one here. */
  isThisMachine: boolean;
}

export interface ImageLoader {
  /** Program on the PATH. */
  tool: string;
  /** Arguments that list what it manages, for a tool that may manage other clusters. It must print `manages`. */
  check?: { args: readonly string[]; manages: string };
  /** Arguments that load an archive as `docker save` writes it. */
  load(archive: string): readonly string[];
}

/** Namespace of the images of Kubernetes in containerd. */
const namespace = 'k8s.io';
const defaultSocket = '/run/containerd/containerd.sock';

/** Undefined for a cluster that pulls its images. */
export function imageLoaderFor({ context, isThisMachine }: ClusterFacts): ImageLoader | undefined {
  const kind = /^kind-(.+)$/.exec(context)?.[1];
  if (kind !== undefined)
    return { tool: 'kind', load: (archive) => ['load', 'image-archive', archive, '--name', kind] };
  const k3d = /^k3d-(.+)$/.exec(context)?.[1];
  if (k3d !== undefined) return { tool: 'k3d', load: (archive) => ['image', 'import', archive, '--cluster', k3d] };
  if (context === 'minikube') return { tool: 'minikube', load: (archive) => ['image', 'load', archive] };
  const hasContainerd = existsSync(process.env.CONTAINERD_ADDRESS || defaultSocket);
  if (!isThisMachine || !hasContainerd) return undefined;
  return {
    tool: 'ctr',
    // The containerd of a Docker engine has images of its own, and no such namespace.
    check: { args: ['namespaces', 'list', '--quiet'], manages: namespace },
    load: (archive) => ['--namespace', namespace, 'images', 'import', archive],
  };
}
