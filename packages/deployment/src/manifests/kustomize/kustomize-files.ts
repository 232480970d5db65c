/**
 * A deployment as a Kustomize project: the manifests by kind in `base/`, changes of them in `overlays/`, and Secrets in
 * `secrets/`, which is not committed.
 */
import { gatewayName } from '@topo-bench/topology';
import { type DocumentOptions, deploymentDocuments } from '../../deployment-documents.ts';
import { hostNameOf } from '../../host-name.ts';
import { defaultMemoryBytes } from '../default-memory.ts';
import { requireDeployable } from '../deployable.ts';
import { clientHeaders } from '../document-files.ts';
import { headComment, type ManifestOrigin } from '../head-comment.ts';
import { inPods, type KubernetesManifests, kubernetesManifests, servicePorts } from '../kubernetes/index.ts';
import type { ManifestFile } from '../manifest-file.ts';
import { kustomization, objectsFile } from './objects-file.ts';
import { overlays } from './overlays.ts';

export interface KustomizeOptions extends Omit<DocumentOptions, 'place' | 'secret'> {
  origin: ManifestOrigin;
  /** Image of the roles. */
  image: string;
  /** JSON text of a request to try. */
  request: string;
}

/** Files to commit. They contain no secret. */
export function kustomizeFiles(options: KustomizeOptions): ManifestFile[] {
  const { graph, plan, origin, request } = options;
  requireDeployable(graph);
  // The secrets of these documents are dropped.
  const manifests = manifestsOf({ ...options, secret: '' });
  const files = [
    objectsFile('base/namespace.yaml', [manifests.namespace]),
    objectsFile('base/documents.yaml', manifests.configMaps),
    objectsFile('base/services.yaml', manifests.services),
    objectsFile('base/network-policies.yaml', manifests.networkPolicies),
    objectsFile('base/workloads.yaml', manifests.workloads),
  ];
  const namespace = namespaceOf(graph.name);
  const { data: port } = servicePorts;
  const head = headComment(graph, plan, origin, [
    'kubectl apply -k base     starts it; also: kubectl apply -k overlays/NAME',
    'kubectl delete -k base    stops it',
    `kubectl --namespace ${namespace} port-forward service/${hostNameOf(gatewayName)} ${port}`,
    `curl -sS http://localhost:${port}/requests -H 'content-type: application/json' \\`,
    `  -d '${request.replaceAll("'", "'\\''")}'`,
  ]);
  const resources = ['../secrets', ...files.map(({ path }) => path.slice('base/'.length))];
  return [kustomization('base', head, { resources }), ...files, ...overlays(plan, graph, namespace)];
}

/** Files in `secrets/`, derived from one secret and never committed. */
export function kustomizeSecrets(
  options: Omit<KustomizeOptions, 'origin' | 'request'> & { secret: string },
): ManifestFile[] {
  const { secrets } = manifestsOf(options);
  return [
    kustomization('secrets', ' Secrets of the roles; not committed.', { resources: ['secrets.yaml'] }),
    objectsFile('secrets/secrets.yaml', secrets),
    clientHeaders(options.secret),
  ];
}

function manifestsOf(options: Omit<KustomizeOptions, 'origin' | 'request'> & { secret: string }): KubernetesManifests {
  const { graph, plan, image } = options;
  const documents = deploymentDocuments({ ...options, place: inPods(plan) });
  return kubernetesManifests(plan, documents, {
    namespace: namespaceOf(graph.name),
    image,
    labels: { 'app.kubernetes.io/part-of': 'topo-bench', 'app.kubernetes.io/instance': graph.name },
    nativeSidecars: true,
    nodes: 'spread',
    memoryBytes: defaultMemoryBytes,
  });
}

function namespaceOf(topology: string): string {
  return hostNameOf(`topo-bench-${topology}`);
}
