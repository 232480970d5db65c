/** Paths of the API for the kinds of objects that the runner uses. */
import type { KubernetesObject } from '@topo-bench/deployment/kubernetes';

const plurals: Readonly<Record<string, string>> = {
  Namespace: 'namespaces',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  NetworkPolicy: 'networkpolicies',
  Deployment: 'deployments',
  Job: 'jobs',
  Pod: 'pods',
  PersistentVolume: 'persistentvolumes',
  PersistentVolumeClaim: 'persistentvolumeclaims',
};

/** Path of the collection to which an object is added. */
export function collectionPath({ apiVersion, kind, metadata }: KubernetesObject): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { namespace } = metadata;
  return `${group}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${plurals[kind]}`;
}

export function namespacePath(name: string): string {
  return `/api/v1/namespaces/${name}`;
}

/** Path of a container's port, through the proxy of the API server. */
export function podProxyPath(namespace: string, pod: string, port: number): string {
  return `${namespacePath(namespace)}/pods/${pod}:${port}/proxy`;
}
