/** Fixed ports of this machine, from the port of the gateway upwards: two per role, the second for Arrow Flight. */

import { TopoBenchError } from '@topo-bench/core';
import type { Placement, RolePlan } from '@topo-bench/deployment';
import type { Project } from '../target.ts';

const maxPort = 65_535;
const host = '127.0.0.1';

/** @throws TopoBenchError `TB_GENERATE_UNSUPPORTED` when there are too few ports */
export function onFixedPorts({ plan, port }: Pick<Project, 'plan' | 'port'>): Placement {
  const last = port + 2 * plan.roles.length - 1;
  if (last > maxPort) {
    const message = `--port ${port}: got ${plan.roles.length} roles, which need the ports up to ${last}`;
    const hint = `choose a port of at most ${maxPort - 2 * plan.roles.length + 1}`;
    throw new TopoBenchError('TB_GENERATE_UNSUPPORTED', message, { hint });
  }
  const ports = new Map(plan.roles.map(({ name }, index) => [name, port + 2 * index]));
  const portOf = ({ name }: RolePlan): number => ports.get(name) as number;
  return {
    listen: (role) => ({ host, port: portOf(role), flightPort: portOf(role) + 1 }),
    urlOf: (role) => `http://${host}:${portOf(role)}`,
    storeUrl: (url) => url,
    network: 'simulated',
  };
}
