/** The roles of a deployment under load, with CPU profiles of the load window where the deployment takes them. */
import type { DeploymentProfile, RoleStats } from '@topo-bench/core';
import type { LoadedSystem } from '@topo-bench/loadgen';
import { loadedRoles, type WatchedRoles } from './role-records.ts';

export class ProfiledRoles {
  readonly system: LoadedSystem<RoleStats[]>;
  /** Present after the load. */
  profile: DeploymentProfile | undefined;

  constructor(watched: WatchedRoles) {
    const roles = loadedRoles(watched);
    const { profiler } = watched.deployment;
    this.system = {
      ...roles,
      reset: async () => {
        await roles.reset();
        await profiler?.start();
      },
      stats: async () => {
        this.profile = await profiler?.stop();
        return roles.stats();
      },
    };
  }
}
