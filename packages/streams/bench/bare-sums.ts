/**
 * Bare drivers of stores in which a row has the sum of one writer. The sums are kept here, as each writer of such a
 * store must; the statements are those of a heat map.
 */

import { heatMapStatements as cql } from '@topo-bench/stores/cassandra/heat-map-statements';
import type { HeatMapEntry } from '@topo-bench/stores/heat-map';
import { addedTo, encodeEntries } from '@topo-bench/stores/heat-map/sums';
import { statementsOf } from '@topo-bench/stores/ignite/heat-map-statements';
import IgniteClient from 'apache-ignite-client';
import { Client, concurrent } from 'cassandra-driver';
import type { BareDriver, Write } from './bare-driver.ts';

/** Statements in flight: as many as a heat map has. */
const inFlight = 128;
const rowsPerStatement = 2000;

export async function cassandra(url: string): Promise<BareDriver> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const client = new Client({
    contactPoints: [`${hostname}:${port}`],
    localDataCenter: 'datacenter1',
    keyspace: pathname.slice(1),
    ...(username && { credentials: { username, password: decodeURIComponent(password) } }),
    queryOptions: { prepare: true },
  });
  await client.connect();
  const sums = new Sums();
  const sequences = new Map<number, number>();
  return {
    async write({ rows, checkpoint: { partition, position, state } }) {
      if (!sequences.has(partition)) await client.execute(cql.start, [partition]);
      const before = sequences.get(partition) ?? 0;
      const entries = sums.of(rows);
      const saved = [position, state, encodeEntries(entries), before + 1, partition, 0, before];
      const { rows: answers } = await client.execute(cql.save, saved);
      if (answers[0]?.['[applied]'] !== true) throw new Error(`the checkpoint of partition ${partition} was not saved`);
      sequences.set(partition, before + 1);
      const values = entries.map(({ cell, crossings, timeMs }) => [cell, 'bench', crossings, timeMs, before + 1]);
      await concurrent.executeConcurrent(client, cql.write, values, { concurrencyLevel: inFlight });
      sums.keep(entries);
    },
    close: () => client.shutdown(),
  };
}

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
  const sums = new Sums();
  const records = new Map<number, string>();
  return {
    async write({ rows, checkpoint: { partition, position, state } }) {
      const before = records.get(partition);
      const entries = sums.of(rows);
      const after = JSON.stringify({ position, state, pending: encodeEntries(entries).toString('base64') });
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

/** The sums that one writer has written. */
class Sums {
  readonly #entries = new Map<number, HeatMapEntry>();

  of(rows: Write['rows']): HeatMapEntry[] {
    return addedTo(this.#entries, rows);
  }

  keep(entries: readonly HeatMapEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.cell, entry);
  }
}
