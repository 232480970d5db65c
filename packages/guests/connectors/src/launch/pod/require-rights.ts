/** The rights that programs in pods need, asked of the API server before anything is created. */
import { TopoBenchError } from '@topo-bench/core';
import {
  type ApiClient,
  clusterError,
  missingRights,
  type Right,
  rightsInNamespaces,
} from '@topo-bench/runners/kubernetes';

const programRights: readonly Right[] = [
  ...['create', 'delete', 'get'].map((verb) => ({ verb, resource: 'namespaces', isOfCluster: true })),
  ...rightsInNamespaces('', 'secrets', ['create', 'delete']),
  ...rightsInNamespaces('', 'pods', ['create', 'delete', 'list', 'watch']),
  ...rightsInNamespaces('', 'pods', ['get', 'create'], 'attach'),
];

/** For files of this machine. */
export const fileRights: readonly Right[] = [
  ...['create', 'delete', 'get'].map((verb) => ({ verb, resource: 'persistentvolumes', isOfCluster: true })),
  ...rightsInNamespaces('', 'persistentvolumeclaims', ['create', 'get']),
];

/** @throws TopoBenchError `TB_CLUSTER_RIGHTS` with all missing rights; what the API server answers */
export async function requireRights(api: ApiClient, needed = programRights): Promise<void> {
  const [problem] = await missingRights(api, needed).catch((error) => {
    throw clusterError('read the rights of the user', api.server, error);
  });
  if (!problem) return;
  const { code, message, hint } = problem;
  throw new TopoBenchError(code, message, { ...(hint !== undefined && { hint }) });
}
