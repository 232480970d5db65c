/** Checks of the experiment and topology of a store study. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentCell, Study } from '@topo-bench/experiment';
import type { Graph } from '@topo-bench/topology';
import { checkKeptRequests } from '../kept-requests.ts';
import { checkRequestDriver } from '../request-driver.ts';

export const check: Study['check'] = (cells, locate) => {
  const [{ graph, settings }] = cells as [ExperimentCell];
  return [
    ...checkKeeper(graph, locate(['persistence'])),
    ...checkKeptRequests(settings, 'persistence', locate(['keepRequests'])),
    ...cells.flatMap((cell) => checkRequestDriver(cell.settings, locate(['flight']))),
  ];
};

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
