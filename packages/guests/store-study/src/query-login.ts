/** Log-in and certificates of the queries that check a service: of the topology, with additions of the experiment. */
import type { ArrowFlight } from '@topo-bench/core/schema/arrow';
import { type FlightAccess, readCredentials } from '@topo-bench/loadgen/flight/flight-access';
import type { StoreExperiment, StoreTrial } from './parts.ts';

export type QueryClient = NonNullable<StoreExperiment['persistence']>['client'];

export function queryLogin({ login, tls }: ArrowFlight, client: QueryClient = {}): FlightAccess {
  const { ca, serverName, certificate, key } = client;
  return {
    ...(login && { login: client.login ?? login }),
    ...(tls?.enabled && { tls: { ca: ca ?? tls.certificate, serverName, certificate, key } }),
  };
}

/**
 * Checks before a run that passwords and certificates of the queries are available.
 * @throws TopoBenchError `TB_LOAD_ACCESS`
 */
export async function requireQueryLogin(cells: readonly StoreTrial[]): Promise<void> {
  const needed = cells.flatMap(({ settings, graph }) =>
    graph.services.flatMap(({ persistence, arrow }) =>
      persistence && arrow?.flight?.sql ? [queryLogin(arrow.flight, settings.persistence?.client)] : [],
    ),
  );
  const different = new Map(needed.map((access) => [JSON.stringify(access), access]));
  for (const access of different.values()) await readCredentials(access);
}
