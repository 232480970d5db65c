/**
 * The role of a user-supplied service: starts and watches the service, and reports its resource use. Enforcement points
 * call the service directly. Without enforcement, the role carries the flow for the service.
 */
import type { UserService } from '@topo-bench/core/schema/user-service';
import type { TreeUse } from '@topo-bench/host';
import type { RoleObservation } from '../control/control-routes.ts';
import type { FullConfig } from '../full-config.ts';
import { uncheckedCall } from './token-probe.ts';
import { type RunningUserService, runUserService } from './user-service.ts';

export interface StartedUserService {
  service: RunningUserService;
  /** URL for direct calls to the service. */
  url: string;
  /** Configuration of the role, with the service as a further peer. */
  config: FullConfig;
  observation: RoleObservation;
}

/** @throws StartFailure */
export async function startUserService(
  config: FullConfig,
  userService: UserService,
  end: (line: string, exitCode: number) => void,
): Promise<StartedUserService> {
  const service = await runUserService(config.name, userService, config.secrets.token, end);
  // One at a URL does not get the token.
  const { token } = config.secrets;
  const unchecked =
    userService.kind === 'url' ? undefined : await uncheckedCall(service.origin + userService.path, token);
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
        const known = { ...role, carrierCpuUs: role.cpuUs, ...(unchecked && { uncheckedCall: unchecked }) };
        if (!use) return { ...known, cpuUs: 0, rssBytes: 0, unmeasured: true };
        const cpuUs = Math.max(0, use.cpuUs - (before?.cpuUs ?? 0));
        return { ...known, cpuUs, rssBytes: use.rssBytes };
      },
    },
  };
}

/** Completes the peer that stands for the user-supplied service, under the service's name. */
function withOwnServiceAsPeer(config: FullConfig, url: string): FullConfig {
  const { name, peers, secrets } = config;
  const own = peers[name];
  if (!own) return config;
  const peerTokens = { ...secrets.peerTokens, [name]: secrets.token };
  return { ...config, peers: { ...peers, [name]: { ...own, url } }, secrets: { ...secrets, peerTokens } };
}
