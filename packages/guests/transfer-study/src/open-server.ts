/**
 * Opens the server of a transfer, the service or the one that the experiment names, and tries whether the load gets in.
 */
import { readCredentials, tryAccess } from '@topo-bench/loadgen/flight/flight-access';
import { readingOf, usageOfRole } from '@topo-bench/measured';
import type { DeployedRole, Deployment } from '@topo-bench/runners';
import { loadAccess, type ServedTable, withToken } from './deployed-table.ts';
import type { FlightServer } from './flight-server.ts';
import type { TransferExperiment } from './parts.ts';

/** Timeout of a login. */
const maxEntryMs = 30_000;

/** @throws TopoBenchError `TB_LOAD_ACCESS`, `TB_FLIGHT_NO_SERVER`, `TB_FLIGHT_SERVER_FAILED` */
export async function openServer(
  flight: TransferExperiment['flight'],
  served: ServedTable,
  deployment: Deployment,
  signal: AbortSignal,
): Promise<FlightServer> {
  const isPyarrow = flight?.server === 'pyarrow';
  const server = isPyarrow ? await pyarrowServer(served, signal) : roleServer(deployment, served.role);
  const access = flight?.protocol === 'flight' ? loadAccess(flight, served) : undefined;
  if (!access) return server;
  try {
    await tryAccess(server.flightUrl, access, AbortSignal.any([signal, AbortSignal.timeout(maxEntryMs)]));
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function pyarrowServer(
  { role, table, seed, digestKey, clientToken }: ServedTable,
  signal: AbortSignal,
): Promise<FlightServer> {
  const { startPyarrowServer } = await import('./pyarrow/pyarrow-server.ts');
  const required = table.flight?.login;
  const { login } = await readCredentials(withToken(required && { login: required }, table, clientToken) ?? {});
  return startPyarrowServer({ service: role.name, table, seed, digestKey, ...(login && { login }), signal });
}

/** The service of the topology as the server of a transfer. The deployment starts, watches and stops it. */
function roleServer(deployment: Deployment, { name, flightUrl }: DeployedRole & { flightUrl: string }): FlightServer {
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
