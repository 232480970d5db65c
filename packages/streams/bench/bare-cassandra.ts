/** The bare driver of Cassandra, with the statements of a heat map. */
import { heatMapStatements as statements, statementsInFlight } from '@topo-bench/stores/cassandra/heat-map-statements';
import { encodeEntries } from '@topo-bench/stores/heat-map/sums';
import { Client, concurrent, types } from 'cassandra-driver';
import type { BareDriver } from './bare-driver.ts';
import { WriterSums } from './writer-sums.ts';

export async function cassandra(url: string): Promise<BareDriver> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const client = new Client({
    contactPoints: [`${hostname}:${port}`],
    localDataCenter: 'datacenter1',
    keyspace: pathname.slice(1),
    ...(username && { credentials: { username, password: decodeURIComponent(password) } }),
    queryOptions: { prepare: true, consistency: types.consistencies.quorum },
  });
  await client.connect();
  const sums = new WriterSums();
  const sequences = new Map<number, number>();
  return {
    async write({ rows, checkpoint: { partition, position, state } }) {
      if (!sequences.has(partition)) await client.execute(statements.start, [partition]);
      const before = sequences.get(partition) ?? 0;
      const entries = sums.of(rows);
      const saved = [position, state, encodeEntries(entries), before + 1, partition, 0, before];
      const answer = await client.execute(statements.save, saved);
      if (!answer.wasApplied()) throw new Error(`the checkpoint of partition ${partition} was not saved`);
      sequences.set(partition, before + 1);
      const writer = `partition ${partition}`;
      const values = entries.map(({ cell, crossings, timeMs }) => [cell, writer, crossings, timeMs, before + 1]);
      await concurrent.executeConcurrent(client, statements.write, values, { concurrencyLevel: statementsInFlight });
      sums.keep(entries);
    },
    close: () => client.shutdown(),
  };
}
