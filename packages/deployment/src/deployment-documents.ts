/**
 * Turns a planned deployment into the documents of its processes: one graph, and configuration and secrets per role.
 */
import type { DeploymentDocuments } from '@topo-bench/core';
import { deploymentGraph } from './deployment-graph.ts';
import { type RoleConfigOptions, roleConfig } from './role-config.ts';
import { type RoleSecretOptions, roleSecrets } from './role-secrets.ts';

/** Folder of the documents inside a container, whatever runs it. */
export const documentsFolder = '/etc/topo-bench';

export type DocumentOptions = RoleConfigOptions & RoleSecretOptions;

/** @throws TopoBenchError `TB_INTERNAL` when a service that keeps data has no store */
export function deploymentDocuments(options: DocumentOptions): DeploymentDocuments {
  const { graph, plan, place } = options;
  return {
    graph: deploymentGraph(graph, plan, place.network),
    roles: plan.roles.map((role) => ({ config: roleConfig(role, options), secrets: roleSecrets(role, options) })),
  };
}
