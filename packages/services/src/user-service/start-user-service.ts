/**
 * The role beside a service of the user's: starts and watches it, and reports what it uses. Enforcement points call the service themselves;
 * where nothing is enforced, this role carries the flow, which the user's service knows nothing of.
 */
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { UserService } from '@topo-bench/core/schema/user-service';
import type { TreeUse } from '@topo-bench/host';
import type { RoleObservation } from '../control/role-observation.ts';
import { type RunningUserService, runUserService } from './user-service.ts';

export interface UserServiceBeside {
  service: RunningUserService;
  /** What peers call when the service is called directly. */
  url: string;
  /** The role's, with the service as a further peer. */
  config: RoleConfig;
  observation: RoleObservation;
}

/** @throws StartFailure */
export async function startUserService(
  config: RoleConfig,
  userService: UserService,
  end: (line: string, exitCode: number) => void,
): Promise<UserServiceBeside> {
  const service = await runUserService(config.name, userService, config.token, end);
  let before: TreeUse | undefined;
  return {
    service,
    url: service.origin,
    config: withOwnServiceAsPeer(config, service.origin),
    observation: {
      reset: () => {
        before = service.use();
      },
      stats: (role) => {
        const use = service.use();
        if (!use) return { ...role, cpuUs: 0, rssBytes: 0, carrierCpuUs: role.cpuUs, unmeasured: true };
        const cpuUs = Math.max(0, use.cpuUs - (before?.cpuUs ?? 0));
        return { ...role, cpuUs, rssBytes: use.rssBytes, carrierCpuUs: role.cpuUs };
      },
    },
  };
}

/** The configuration of the role with its own service as a further peer, under the service's name. */
function withOwnServiceAsPeer(config: RoleConfig, url: string): RoleConfig {
  const peers = { ...config.peers, [config.name]: { url, token: config.token, node: config.node } };
  return { ...config, peers };
}
