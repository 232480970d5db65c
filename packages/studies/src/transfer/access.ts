/**
 * How the load of a transfer gets into the service: as the topology says of the service, and beyond that as the
 * experiment says of its client.
 */
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { TransferResult } from '@topo-bench/core/schema/result';
import type { ExperimentCell } from '@topo-bench/experiment';
import { type FlightAccess, readCredentials } from '@topo-bench/loadgen/flight/flight-access';

type Transfer = NonNullable<ExperimentFile['flight']>;

/** Undefined where nobody is asked: over HTTP, or at a service that is open. */
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

/** What a cell tells of it. */
export function accessResult(transfer: Transfer, flight: ArrowFlight): NonNullable<TransferResult['access']> {
  const access = flightAccess(transfer, flight);
  const tls = flight.tls?.clientCa === undefined ? 'server' : 'mutual';
  return { login: access?.login !== undefined, tls: access?.tls ? tls : 'none' };
}

/**
 * Passwords and certificates of these cells are there, so that a run does not find out half-way.
 * @throws TopoBenchError `TB_LOAD_ACCESS`
 */
export async function requireAccess(cells: readonly ExperimentCell[]): Promise<void> {
  const needed = cells.flatMap(({ settings, graph }) => {
    const flight = graph.services.find(({ arrow }) => arrow?.flight)?.arrow?.flight;
    return settings.flight && flight ? (flightAccess(settings.flight, flight) ?? []) : [];
  });
  const different = new Map(needed.map((access) => [JSON.stringify(access), access]));
  for (const access of different.values()) await readCredentials(access);
}
