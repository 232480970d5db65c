/** Driver `autocannon`: the closed model, c connections that each wait for their response before they send again. */
import type { Driver } from '../driver.ts';
import { runGenerators } from '../generator/generators.ts';

/** @param options.workerPath built script of the generator processes, when it is not in its usual place */
export function autocannonDriver(options: { workerPath?: string } = {}): Driver {
  return {
    name: 'autocannon',
    run: (job, signal, observer) => {
      const processes = Math.min(job.processes ?? 1, job.connections);
      return runGenerators({ driver: 'autocannon', job, processes, ...options, signal, observer });
    },
  };
}
