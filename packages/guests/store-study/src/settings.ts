/** Checks of the experiment and topology of a store study. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import { checkKeptRequests } from '@topo-bench/study-kit/kept-requests';
import { checkRequestDriver } from '@topo-bench/study-kit/request-driver';
import type { Graph } from '@topo-bench/topology';
import type { Study } from '@topo-bench/trial';
import type { StoreTrial } from './parts.ts';

export const check: Study['check'] = (cells, locate) => {
  const [{ graph, settings }] = cells as [StoreTrial];
  return [
    ...checkKeeper(graph, locate(['persistence'])),
    ...checkKeptRequests(settings, 'persistence', locate(['keepRequests'])),
    ...cells.flatMap((cell) => checkRequestDriver(cell.settings, locate(['flight']))),
    ...cells.flatMap((cell) => checkQueryClient(cell, locate(['persistence']))),
  ];
};

/** Queries check a service with Flight SQL after the load: one that asks for client certificates must get one. */
function checkQueryClient({ settings: { persistence }, graph }: StoreTrial, place: SourceLocation): Problem[] {
  const { client } = persistence ?? {};
  return graph.services.flatMap(({ name, persistence: keeps, arrow }) => {
    const { sql, tls } = arrow?.flight ?? {};
    if (!keeps || !sql || !tls?.enabled || tls.clientCa === undefined || client?.certificate !== undefined) return [];
    const message = `Flight SQL of the service "${name}" needs a client certificate of ${tls.clientCa}, and the queries that check it have none`;
    const hint = 'name its PEM files in `persistence: { client: { certificate: …, key: … } }`';
    return [{ ...place, code: 'TB_EXPERIMENT_QUERY_CLIENT' as const, message, hint }];
  });
}

/**
 * Reads and writes go to one service: the topology must have exactly one with data.
 * @param place of the experiment's field `persistence`
 */
function checkKeeper({ services }: Graph, place: SourceLocation): Problem[] {
  const names = services.filter((service) => service.persistence).map(({ name }) => name);
  if (names.length === 1) return [];
  const found = names.length === 0 ? 'none' : names.join(', ');
  const message = `persistence measures the one service that has a store, and the topology has ${found}`;
  return [
    {
      ...place,
      code: 'TB_EXPERIMENT_NO_STORE',
      message,
      hint: 'give one service `persistence: { store: sql-indexed }`',
    },
  ];
}
