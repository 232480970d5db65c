/** Roles of planned deployments for tests, as their documents reach a process. */
import type { DeploymentGraph, RoleConfig, RoleSecrets } from '@topo-bench/core';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import type { Graph } from '@topo-bench/topology';
import { loopback } from '../../deployment/test/fixtures/loopback.ts';

export interface TestRole extends RoleConfig {
  graph: DeploymentGraph;
  secrets: RoleSecrets;
}

export function rolesOf(
  graph: Graph,
  { seed = 1, secret = 'a test' }: { seed?: number; secret?: string } = {},
): TestRole[] {
  const documents = deploymentDocuments({ graph, plan: planDeployment(graph), seed, secret, place: loopback });
  return documents.roles.map(({ config, secrets }) => {
    return JSON.parse(JSON.stringify({ ...config, secrets, graph: documents.graph })) as TestRole;
  });
}
