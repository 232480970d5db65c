/** The rights that the runner needs, asked of the API server before anything is created. */
import type { RunnerProblem } from '../runner.ts';
import type { ApiClient } from './api-client.ts';

export interface Right {
  verb: string;
  resource: string;
  group?: string;
  subresource?: string;
  /** A right on the cluster, not in a namespace. */
  isOfCluster?: boolean;
}

export const rightsInNamespaces = (
  group: string,
  resource: string,
  verbs: readonly string[],
  subresource?: string,
): Right[] => verbs.map((verb) => ({ verb, resource, group, ...(subresource && { subresource }) }));

/** In namespaces that the runner creates, with names that are not known beforehand. */
const neededRights: readonly Right[] = [
  ...['create', 'delete', 'get', 'list'].map((verb) => ({ verb, resource: 'namespaces', isOfCluster: true })),
  ...rightsInNamespaces('', 'configmaps', ['create']),
  ...rightsInNamespaces('', 'secrets', ['create']),
  ...rightsInNamespaces('', 'services', ['create']),
  ...rightsInNamespaces('networking.k8s.io', 'networkpolicies', ['create']),
  ...rightsInNamespaces('apps', 'deployments', ['create']),
  ...rightsInNamespaces('', 'pods', ['create', 'list', 'watch']),
  ...rightsInNamespaces('', 'events', ['list', 'watch']),
  ...rightsInNamespaces('', 'pods', ['get', 'create'], 'proxy'),
  ...rightsInNamespaces('', 'pods', ['get'], 'log'),
];

interface AccessReview {
  status: { allowed: boolean };
}

/** One problem that names all missing rights; empty when the user has them all. */
export async function missingRights(api: ApiClient, needed = neededRights): Promise<RunnerProblem[]> {
  const allowed = await Promise.all(needed.map((right) => isAllowed(api, right)));
  const missing = needed.filter((_, index) => !allowed[index]).map(textOf);
  if (missing.length === 0) return [];
  const { name = 'the user' } = api.config.getCurrentUser() ?? {};
  return [
    {
      code: 'TB_CLUSTER_RIGHTS',
      message: `${name} lacks rights on ${api.server}: got no ${missing.join(', ')}`,
      hint: 'ask for the role in docs/kubernetes.md, or choose another user with --context',
    },
  ];
}

async function isAllowed(api: ApiClient, { verb, resource, group = '', subresource }: Right): Promise<boolean> {
  const resourceAttributes = { verb, resource, group, ...(subresource && { subresource }) };
  const { status } = await api.request<AccessReview>('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes },
  });
  return status.allowed;
}

function textOf({ verb, group, resource, subresource, isOfCluster }: Right): string {
  const name = `${resource}${group ? `.${group}` : ''}${subresource ? `/${subresource}` : ''}`;
  return `"${verb} ${name}"${isOfCluster ? ' of the cluster' : ''}`;
}
