/** Nodes of the cluster that run pods, and their resources. */
import type { RunnerCapacity } from '../runner.ts';
import type { ApiClient } from './api-client.ts';
import { ApiError, clusterError } from './api-error.ts';

interface ClusterNode {
  spec?: { unschedulable?: boolean };
  status: {
    addresses?: { type: string; address: string }[];
    conditions?: { type: string; status: string }[];
    /** For pods, as quantities: `1930m`, `7847260Ki`. */
    allocatable?: { cpu?: string; memory?: string };
  };
}

/**
 * Undefined for a user without the right to list nodes.
 * @throws TopoBenchError `TB_CLUSTER_NO_ANSWER`, `TB_CLUSTER_REFUSED`, `TB_CLUSTER_RIGHTS`
 */
export async function readyNodes(api: ApiClient): Promise<ClusterNode[] | undefined> {
  try {
    const { items } = await api.request<{ items: ClusterNode[] }>('GET', '/api/v1/nodes');
    return items.filter(({ status }) =>
      status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
    );
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw clusterError('list the nodes', api.server, error);
  }
}

/** Resources for pods of all nodes that take new pods. Undefined for a user without the right to list nodes. */
export async function clusterCapacity(api: ApiClient): Promise<RunnerCapacity | undefined> {
  const nodes = await readyNodes(api);
  const open = nodes?.filter(({ spec }) => spec?.unschedulable !== true);
  if (!open || open.length === 0) return undefined;
  const sum = (resource: 'cpu' | 'memory'): number =>
    open.reduce((total, { status }) => total + quantityOf(status.allocatable?.[resource] ?? '0'), 0);
  return { cores: sum('cpu'), memoryBytes: sum('memory') };
}

const factors: Readonly<Record<string, number>> = {
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Value of a quantity of Kubernetes, such as `1930m` or `7847260Ki`. 0 for other text. */
export function quantityOf(text: string): number {
  const [, digits = '0', unit = ''] = /^([\d.]+(?:e\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  return Number(digits) * (unit === '' ? 1 : (factors[unit] ?? 0));
}
