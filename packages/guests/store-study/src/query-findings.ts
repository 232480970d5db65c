/** Checks the queries of a deployed service with `arrow.flight.sql`; other services have none. */
import { TopoBenchError } from '@topo-bench/core';
import { queryAccess } from '@topo-bench/oracle/query-access';
import type { Graph } from '@topo-bench/topology';
import { itemId } from '@topo-bench/workload';
import type { DeployedStore } from './measurement.ts';
import { StoredForms, type StoredFormsOptions } from './stored-forms.ts';

/** @returns what was wrong, in words */
export async function queryFindings(
  graph: Graph,
  { deployment, service: name, options: { configuration }, secrets, workload, client }: DeployedStore,
  stored: StoredFormsOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const { arrow } = graph.services.find((one) => one.name === name) ?? {};
  const { flight } = arrow ?? {};
  if (!arrow || !flight?.sql) return [];
  const role = deployment.roles.find((one) => one.name === name);
  if (!role?.flightUrl) throw new TopoBenchError('TB_INTERNAL', `the service "${name}" has no address for Flight`);
  const { checkQueries, queriedColumns, queriedRows } = await import('./check-queries.ts');
  const { queryLogin } = await import('./query-login.ts');
  const forms = new StoredForms(stored);
  return checkQueries({
    flightUrl: role.flightUrl,
    access: { ...queryLogin(flight, client), ...(!arrow.open && { token: secrets.clientToken }) },
    configuration,
    right: queryAccess(graph, name, queriedColumns(configuration)),
    ids: Array.from({ length: Math.min(queriedRows, workload.dataset.rows) }, (_, number) => itemId(number)),
    formsOf: (id) => forms.of(id),
    reset: () => deployment.reset(),
    stats: async () => (await deployment.stats()).find((one) => one.name === name),
    signal,
  });
}
