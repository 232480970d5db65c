/** A connector reads the store, and a server turns its rows into record batches, which the client reads over Flight. */
import { launchConversion } from '@topo-bench/connectors';
import type { ClientJob } from '../messages.ts';
import { programLimit, type ReadPath } from '../read-path.ts';
import { discovered, preparedLauncher, sourceOf } from './connector-source.ts';
import { flightPath } from './flight-reading.ts';

export async function openFlight(job: ClientJob): Promise<ReadPath> {
  const { batchRows, compression, warm } = job.settings;
  return preparedLauncher(job, async (launcher) => {
    const source = await sourceOf(job.table, launcher);
    return flightPath({
      launcher,
      store: source.store,
      warm,
      async launch(tools, held) {
        const { clock, signal } = tools;
        const catalog = await discovered(launcher, source, job.settings, signal);
        clock.ends('discover');
        const { store, config } = source;
        const limit = programLimit(job.settings, tools, held);
        return launchConversion(launcher, { store, config, catalog, batchRows, compression, ...limit, held, signal });
      },
    });
  });
}
