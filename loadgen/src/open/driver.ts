/** Driver `open`: requests leave on a schedule (constant or Poisson arrivals), never waiting for responses. */
import { usableCores } from '@topo-bench/host';
import type { DriverDefinition } from '../driver.ts';
import { withoutCollections } from '../generator/quiet-runtime.ts';

/** Rate of one process in req/s, with room for bursts: at about 0.2 core per 1000 req/s, half of its core. */
const rateOfOneProcessRps = 2500;

export const openDriver: DriverDefinition = {
  description: 'open model: requests leave on a schedule, whatever became of those before',
  parts: ({ processes, rateRps, rampToRps = rateRps }) => processes ?? processesFor(Math.max(rateRps, rampToRps)),
  keepsTime: true,
  nodeOptions: withoutCollections,
  shards: () => import('./run-shard.ts'),
};

/** Enough processes for the rate, at most one per core. */
export function processesFor(rateRps: number, cores = usableCores()): number {
  return Math.max(1, Math.min(cores, Math.ceil(rateRps / rateOfOneProcessRps)));
}
