/** The bare driver of Ignite, with the statements of a heat map. */
import { statementsOf } from '@topo-bench/stores/ignite/heat-map-statements';
import IgniteClient from 'apache-ignite-client';
import type { BareDriver } from './bare-driver.ts';
import { newRecord, WriterSums } from './writer-sums.ts';

const rowsPerStatement = 2000;

export async function ignite(url: string): Promise<BareDriver> {
  const { host, pathname } = new URL(url);
  const cache = decodeURIComponent(pathname.slice(1));
  const client = new IgniteClient();
  const configuration = new IgniteClient.IgniteClientConfiguration(host);
  configuration.setConnectionOptions(false, { noDelay: true });
  await client.connect(configuration);
  const checkpoints = client.getCache(cache);
  const { write } = statementsOf(`${cache.replace('.', '_')}_rows`);
  const { LONG, STRING } = IgniteClient.ObjectType.PRIMITIVE_TYPE;
  const longs = new IgniteClient.ObjectArrayType(LONG);
  const sums = new WriterSums();
  const records = new Map<number, string>();
  return {
    async write({ rows, checkpoint: { partition, position, state } }) {
      const before = records.get(partition);
      const entries = sums.of(rows);
      const after = newRecord({ position, state }, entries);
      const key = String(partition);
      const isSaved =
        before === undefined
          ? await checkpoints.putIfAbsent(key, after)
          : await checkpoints.replaceIfEquals(key, before, after);
      if (!isSaved) throw new Error(`the checkpoint of partition ${partition} was not saved`);
      records.set(partition, after);
      for (let at = 0; at < entries.length; at += rowsPerStatement) {
        const part = entries.slice(at, at + rowsPerStatement);
        const columns = [part.map(({ cell }) => cell), part.map((one) => one.crossings), part.map((one) => one.timeMs)];
        const query = new IgniteClient.SqlFieldsQuery(write).setSchema('PUBLIC');
        const cursor = await checkpoints.query(
          query.setArgs('bench', ...columns).setArgTypes(STRING, longs, longs, longs),
        );
        await cursor.getAll();
      }
      sums.keep(entries);
    },
    close: async () => client.disconnect(),
  };
}
