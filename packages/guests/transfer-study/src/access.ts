/** Access of the load of a transfer to the service: from the topology, with additions of the experiment. */
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import { type FlightAccess, readCredentials } from '@topo-bench/loadgen/flight/flight-access';
import type { TransferExperiment, TransferTrial } from './parts.ts';
import type { TransferResult } from './payload-schema.ts';

type Transfer = NonNullable<TransferExperiment['flight']>;

/** Undefined without authentication: over HTTP, or for an open service. */
export function flightAccess(
  { protocol, client = {} }: Transfer,
  { login, tls }: ArrowFlight,
): FlightAccess | undefined {
  const isTls = tls?.enabled === true;
  if (protocol !== 'flight' || (!login && !isTls)) return undefined;
  const { ca, serverName, certificate, key } = client;
  return {
    ...(login && { login: client.login ?? login }),
    ...(isTls && { tls: { ca: ca ?? tls.certificate, serverName, certificate, key } }),
  };
}

/** Access settings of a cell. */
export function accessResult(transfer: Transfer, flight: ArrowFlight): NonNullable<TransferResult['access']> {
  const access = flightAccess(transfer, flight);
  const tls = flight.tls?.clientCa === undefined ? 'server' : 'mutual';
  return { login: access?.login !== undefined, tls: access?.tls ? tls : 'none' };
}

/**
 * Checks before a run that passwords and certificates of these cells are available.
 * @throws TopoBenchError `TB_LOAD_ACCESS`
 */
export async function requireAccess(cells: readonly TransferTrial[]): Promise<void> {
  const needed = cells.flatMap(({ settings, graph }) => {
    const flight = graph.services.find(({ arrow }) => arrow?.flight)?.arrow?.flight;
    return settings.flight && flight ? (flightAccess(settings.flight, flight) ?? []) : [];
  });
  const different = new Map(needed.map((access) => [JSON.stringify(access), access]));
  for (const access of different.values()) await readCredentials(access);
}
