/** The complete configuration of a role: its own part, its secrets and the shared graph. */
import type { DeploymentGraph, RoleConfig, RoleSecrets } from '@topo-bench/core';

export interface FullConfig extends RoleConfig {
  secrets: RoleSecrets;
  graph: DeploymentGraph;
}
