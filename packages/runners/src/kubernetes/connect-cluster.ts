/** Connects to the cluster of the kubeconfig. */
import { ApiClient } from './api-client.ts';
import { clusterError } from './api-error.ts';
import { loadKubeConfig } from './kube-config.ts';

const answerTimeoutMs = 10_000;

/** @throws TopoBenchError `TB_CLUSTER_NOT_FOUND`, `TB_CLUSTER_NO_ANSWER`, `TB_CLUSTER_RIGHTS` */
export async function connectCluster(context: string | undefined): Promise<ApiClient> {
  const api = new ApiClient(await loadKubeConfig(context));
  try {
    await api.request('GET', '/version', undefined, { timeoutMs: answerTimeoutMs });
    return api;
  } catch (error) {
    throw clusterError('read the version of the server', api.server, error);
  }
}
