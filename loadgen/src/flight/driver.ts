/** Driver `flight`: bulk transfers of a table by parallel streams, over Arrow Flight or over HTTP; a request is a whole stream. */
import { TopoBenchError } from '@topo-bench/core';
import type { Driver } from '../driver.ts';
import { runGenerators } from '../generator/generators.ts';

/**
 * Uses one process unless the job names a number: a service is one, too. The result's flags say when the generator was the limit.
 * @param options.workerPath built script of the generator processes, when it is not in its usual place
 */
export function flightDriver(options: { workerPath?: string } = {}): Driver {
  return {
    name: 'flight',
    run: async (job, signal, observer) => {
      if (job.request.kind !== 'transfer') throw new TopoBenchError('TB_INTERNAL', 'the driver flight moves tables only');
      const processes = Math.min(job.processes ?? 1, job.request.streams);
      return runGenerators({ driver: 'flight', job, processes, ...options, signal, observer });
    },
  };
}
