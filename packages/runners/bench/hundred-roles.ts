/** The deployment of the start-up benchmark: a chain of services with a sidecar each, and the gateway. */
import type { DeploymentDocuments } from '@topo-bench/core';
import type { Framework } from '@topo-bench/core/schema/topology';
import { type DeploymentPlan, deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import type { Configure } from '@topo-bench/runners';
import { graphOf } from '@topo-bench/topology';

export interface SidecarChain {
  /** 2 × `services` + 1 roles, the gateway first. */
  plan: DeploymentPlan;
  /** Makes the documents once: the bench measures how long processes take. */
  configure: Configure;
}

export function sidecarChain(services: number, framework: Framework): SidecarChain {
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
  const plan = planDeployment(graph);
  let documents: DeploymentDocuments | undefined;
  return {
    plan,
    configure: (place) => {
      documents ??= deploymentDocuments({ graph, plan, seed: 1, secret: 'of the benchmark', place });
      return documents;
    },
  };
}
