/** Facts of the cluster that decide how roles are deployed. */
import { type ManifestOptions, nodeLabel } from '@topo-bench/deployment/kubernetes';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

/** Native sidecar containers are enabled since Kubernetes 1.29. */
const nativeSidecarsSince = 29;

export async function hasNativeSidecars(api: ApiClient): Promise<boolean> {
  const { major, minor } = await api.request<{ major: string; minor: string }>('GET', '/version');
  // Managed clusters append a plus sign to the minor version.
  return Number(major) > 1 || Number.parseInt(minor, 10) >= nativeSidecarsSince;
}

/**
 * `labelled` when every node of the topology has a cluster node with its label. The user may lack the right to list
 * nodes: then pods are spread.
 */
export async function nodePlacement(api: ApiClient, names: readonly string[]): Promise<ManifestOptions['nodes']> {
  try {
    const selector = encodeURIComponent(nodeLabel);
    const { items } = await api.request<{ items: { metadata: { labels?: Record<string, string> } }[] }>(
      'GET',
      `/api/v1/nodes?labelSelector=${selector}`,
    );
    const labelled = new Set(items.map(({ metadata }) => metadata.labels?.[nodeLabel]));
    return names.every((name) => labelled.has(name)) ? 'labelled' : 'spread';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'spread';
    throw error;
  }
}
