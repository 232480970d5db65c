/** The deployment of the start-up benchmark: a chain of services with a sidecar each, and the gateway. */
import type { DeploymentDocuments } from '@topo-bench/core/role-config';
import type { Framework } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology/load-topology';

/** @returns the documents of 2 × `services` + 1 roles, the gateway first */
export function sidecarDocuments(services: number, framework: Framework): DeploymentDocuments {
  const graph = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 'start-up',
      nodes: [{ name: 'n1', region: 'eu' }],
      services: [{ generate: services, prefix: 'svc' }],
      framework,
      enforcement: { architecture: 'sidecar' },
    },
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'start-up',
      rules: [
        {
          id: 'eu-only',
          forEach: 'services',
          when: { all: [{ fact: 'request', path: '$.origin', operator: 'equal', value: 'nowhere' }] },
          effect: 'deny',
        },
      ],
    },
  );
  return deploymentDocuments({ graph, plan: planDeployment(graph), seed: 1, secret: 'of the benchmark' });
}
