/** Changes of the base for certain clusters, one folder each. */
import type { Graph } from '@topo-bench/topology';
import type { DeploymentPlan } from '../../deployment-plan.ts';
import { hostNameOf } from '../../host-name.ts';
import { nodeLabel, podsOf } from '../kubernetes/index.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ManifestFile } from '../manifest-file.ts';
import { kustomization, objectsFile } from './objects-file.ts';

const base = ['../../base'];

/** @param namespace of the base: it is part of the name by which a patch finds its object */
export function overlays(plan: DeploymentPlan, graph: Graph, namespace: string): ManifestFile[] {
  return [...labelledNodes(plan, graph, namespace), nodePort(graph)];
}

/** Every pod on a node of the cluster that stands for its node of the topology. */
function labelledNodes(plan: DeploymentPlan, { nodes }: Graph, namespace: string): ManifestFile[] {
  const folder = 'overlays/labelled-nodes';
  const head = [
    ' Pods run where the topology places them. Label the nodes of the cluster first:',
    ...nodes.map(({ name }) => `   kubectl label node NODE ${nodeLabel}=${name}`),
  ];
  const patches = podsOf(plan).map((pod): KubernetesObject => {
    const scheduling = {
      nodeSelector: { [nodeLabel]: nodes[pod.node]?.name as string },
      topologySpreadConstraints: null,
    };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: pod.name, namespace },
      spec: { template: { spec: scheduling } },
    };
  });
  const fields = { resources: base, patches: [{ path: 'node-selectors.yaml' }] };
  return [kustomization(folder, head.join('\n'), fields), objectsFile(`${folder}/node-selectors.yaml`, patches)];
}

/** The gateways at a port of every node of the cluster. */
function nodePort({ gateways }: Graph): ManifestFile {
  const patch = `- op: add\n  path: /spec/type\n  value: NodePort\n`;
  const head = ' The gateway listens on a port of every node: kubectl get service gateway shows it.';
  const patches = gateways.map(({ name }) => ({ target: { kind: 'Service', name: hostNameOf(name) }, patch }));
  return kustomization('overlays/node-port', head, { resources: base, patches });
}
