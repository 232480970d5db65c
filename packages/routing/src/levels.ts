/** Levels that every table of a routing study has columns for. */
import { architectureLevel } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { flowServices, type Graph } from '@topo-bench/topology';

/** A closed model has no rate; its load is the number of connections. */
export function levels({ load }: ExperimentFile, { enforcement, flow }: Graph): FactorLevels {
  return {
    architecture: architectureLevel(enforcement),
    services: flowServices(flow).length,
    ...(load.driver === 'open' ? { rate: load.rate } : { 'load.connections': load.connections }),
  };
}
