/** The service of the topology as the server of a transfer. The deployment starts, watches and stops it. */
import { readingOf, usageOfRole } from '@topo-bench/measured';
import type { DeployedRole, Deployment } from '@topo-bench/runners';
import type { FlightServer } from './flight-server.ts';

export function roleServer(
  deployment: Deployment,
  { name, flightUrl }: DeployedRole & { flightUrl: string },
): FlightServer {
  return {
    identity: { name: 'topo-bench' },
    isService: true,
    flightUrl,
    usage: async () => usageOfRole(await deployment.usage(), name),
    reading: async (options) => readingOf(await deployment.usage(options), name),
    stats: async () => (await deployment.stats()).find((role) => role.name === name),
    onDeath: () => undefined,
    stop: async () => undefined,
  };
}
