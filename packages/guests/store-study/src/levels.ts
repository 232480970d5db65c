/** Levels that every table of a store study has columns for. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { Graph } from '@topo-bench/topology';
import type { StoreExperiment } from './parts.ts';

export function levels({ persistence, load }: StoreExperiment, { services }: Graph): FactorLevels {
  return {
    store: services.find((service) => service.persistence)?.persistence?.store ?? '',
    workload: persistence?.workload ?? '',
    ...(load.driver === 'open' ? { rate: load.rate } : { connections: load.connections }),
  };
}
