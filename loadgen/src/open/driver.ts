/** Driver `open`: requests leave on a schedule (constant or Poisson arrivals), never waiting for responses. */
import { availableParallelism } from 'node:os';
import type { Driver } from '../driver.ts';
import { runGenerators } from '../generator/generators.ts';

/** One process sends this many req/s with room for bursts: at about 0.2 core per 1000 req/s, half of its core. */
const rateOfOneProcessRps = 2500;

/** @param options.workerPath built script of the generator processes, when it is not in its usual place */
export function openDriver(options: { workerPath?: string } = {}): Driver {
  return {
    name: 'open',
    run: (job, signal, observer) =>
      runGenerators({ driver: 'open', job, processes: job.processes ?? processesFor(job.rateRps), ...options, signal, observer }),
  };
}

/** As many as the rate needs, and not more than the host has cores. */
export function processesFor(rateRps: number): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(rateRps / rateOfOneProcessRps)));
}
