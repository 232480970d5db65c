/**
 * The route of a service with columns: `GET /arrow`. Requires the client token, unless the service is open. Applies the
 * rules of the service.
 */
import { SeededTable } from '@topo-bench/columns';
import { answerArrow } from '@topo-bench/columns/http';
import { headers, type RoleArrow } from '@topo-bench/core';
import type { RoleCounters } from '../control/role-counters.ts';
import type { FullConfig } from '../full-config.ts';
import type { Route } from '../http/http-port.ts';
import { tokenGuard } from '../http/token-guard.ts';
import { ServedColumns } from './served-columns.ts';

export function arrowRoutes(config: FullConfig, arrow: RoleArrow, counters: RoleCounters): Route[] {
  const table = new SeededTable(arrow.table, config.name, config.seed);
  const columns = new ServedColumns(config, arrow, counters);
  return [
    {
      method: 'GET',
      path: '/arrow',
      ...(!arrow.table.open && { refuse: tokenGuard(headers.token, config.secrets.clientToken) }),
      handle: async (call) => {
        counters.inFlight++;
        try {
          await answerArrow(call.request, call.takeOver(), (query) =>
            columns.open(table, query.get('purpose') ?? undefined),
          );
          counters.served++;
        } finally {
          counters.inFlight--;
        }
      },
    },
  ];
}
