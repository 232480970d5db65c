/** Namespaces of processes that ended without deleting them, such as a killed run. */
import { ownerState } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import type { Leftover } from '../leftover.ts';
import type { RunnerOptions } from '../runner-options.ts';
import { clusterError } from './api-error.ts';
import { connectCluster } from './connect-cluster.ts';
import { deleteNamespace } from './namespace.ts';

interface Found {
  metadata: { name: string; labels?: Readonly<Record<string, string>> };
}

/** @throws TopoBenchError `TB_CLUSTER_NOT_FOUND`, `TB_CLUSTER_NO_ANSWER`, `TB_CLUSTER_RIGHTS` */
export async function kubernetesLeftovers({ context }: Pick<RunnerOptions, 'context'>): Promise<Leftover[]> {
  const api = await connectCluster(context);
  const path = `/api/v1/namespaces?labelSelector=${encodeURIComponent(labels.owner)}`;
  const { items } = await api.request<{ items: Found[] }>('GET', path).catch((error) => {
    throw clusterError('list the namespaces', api.server, error);
  });
  const states = await Promise.all(items.map(({ metadata }) => ownerState(metadata.labels?.[labels.owner])));
  const left = items.filter((_, index) => states[index] === 'ended');
  return left.map(({ metadata: { name, labels: own } }) => ({
    run: own?.[labels.run] ?? '',
    objects: { namespace: [name] },
    remove: () => deleteNamespace(api, name),
  }));
}
