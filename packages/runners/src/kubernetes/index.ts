/** Parts of the runner for others that run pods on the same cluster. */
export type { ApiClient } from './api-client.ts';
export { clusterError, isNotFound } from './api-error.ts';
export { connectCluster } from './connect-cluster.ts';
export { defaultImage, loadImage } from './load-image.ts';
export { createObject, createObjects, deleteNamespace } from './namespace.ts';
export { ObjectWatch } from './object-watch.ts';
export type { Pod } from './pod.ts';
export { problemOf } from './pod-problem.ts';
export { namespacePath } from './resources.ts';
export { missingRights, type Right, rightsInNamespaces } from './rights.ts';
export { podsReach } from './server-reach.ts';
