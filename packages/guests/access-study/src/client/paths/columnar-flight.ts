/** A server reads columns from the store on, and the client reads its record batches over Flight. */
import { launchExport } from '@topo-bench/connectors';
import type { ClientJob } from '../messages.ts';
import { programLimit, type ReadPath } from '../read-path.ts';
import { preparedLauncher, tableAt } from './connector-source.ts';
import { flightPath } from './flight-reading.ts';

export async function openColumnarFlight(job: ClientJob): Promise<ReadPath> {
  const { batchRows, compression, connections, warm } = job.settings;
  return preparedLauncher(job, async (launcher) => {
    const table = await tableAt(job.table, launcher);
    return flightPath({
      launcher,
      store: table.kind,
      warm,
      launch(tools, held) {
        const limit = programLimit(job.settings, tools, held);
        const { signal } = tools;
        return launchExport(launcher, { table, batchRows, connections, compression, ...limit, signal });
      },
    });
  });
}
