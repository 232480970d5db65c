/** Reads and writes go to one service: the topology must have exactly one that keeps data. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Graph } from '@topo-bench/topology';

/** @param place of the experiment's field `persistence` */
export function checkPersistence({ persistence }: ExperimentFile, { services }: Graph, place: SourceLocation): Problem[] {
  if (!persistence) return [];
  const names = services.filter((service) => service.persistence).map(({ name }) => name);
  if (names.length === 1) return [];
  const found = names.length === 0 ? 'none' : names.join(', ');
  const message = `persistence measures the one service that has a store, and the topology has ${found}`;
  return [{ ...place, code: 'TB_EXPERIMENT_NO_STORE', message, hint: 'give one service `persistence: { store: sql-indexed }`' }];
}
