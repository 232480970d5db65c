/** The complete configuration of a role: its own part, its secrets and the shared graph. */
import type { DeploymentGraph } from '@topo-bench/core/deployment-graph';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { RoleSecrets } from '@topo-bench/core/role-secrets';

export interface FullConfig extends RoleConfig {
  secrets: RoleSecrets;
  graph: DeploymentGraph;
}
