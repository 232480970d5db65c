/**
 * The other side of `bench:streams`: the bare driver of each store, with the very statements that a heat map sends, on
 * one connection and one after another.
 */
import { createHash } from 'node:crypto';
import { createClient } from '@redis/client';
import type { StoreEngine } from '@topo-bench/core';
import * as mysqlStatements from '@topo-bench/stores/mysql/heat-map-statements';
import { bigintArray, heatMapStatements } from '@topo-bench/stores/postgresql/heat-map-statements';
import { addScript } from '@topo-bench/stores/redis/heat-map-script';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { cassandra } from './bare-cassandra.ts';
import type { BareDriver } from './bare-driver.ts';
import { hbase } from './bare-hbase.ts';
import { ignite } from './bare-ignite.ts';

/** @param url from `createHeatMap` */
export type OpenBareDriver = (url: string) => Promise<BareDriver>;

export const bareDrivers: Readonly<Record<StoreEngine, OpenBareDriver>> = {
  async postgresql(url) {
    const client = new pg.Client(url);
    await client.connect();
    return {
      write({ rows: { count, cells, crossings, timesMs }, checkpoint: { partition, position, state } }) {
        const columns = [cells, crossings, timesMs].map((column) => bigintArray(column, count));
        return client.query({
          ...heatMapStatements.addWithCheckpoint,
          values: [...columns, partition, position, state, null],
        });
      },
      close: () => client.end(),
    };
  },
  async mysql(url) {
    const connection = await createConnection(url);
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    return {
      async write({ rows, checkpoint: { partition, position, state } }) {
        await connection.query('START TRANSACTION');
        if (rows.count > 0) await connection.query(mysqlStatements.addStatement(rows));
        await connection.query(mysqlStatements.heatMapStatements.save, [partition, position, state]);
        await connection.query('COMMIT');
      },
      close: () => connection.end(),
    };
  },
  async redis(url) {
    const [server = '', prefix] = url.split('#');
    const client = createClient({ url: server });
    await client.connect();
    await client.sendCommand(['SCRIPT', 'LOAD', addScript]);
    const keys = ['crossings', 'times', 'checkpoints', 'owners'].map((name) => `${prefix}:${name}`);
    const call = ['EVALSHA', createHash('sha1').update(addScript).digest('hex'), '4', ...keys];
    return {
      write({ rows: { count, cells, crossings, timesMs }, checkpoint: { partition, position, state } }) {
        const words = [...call, String(partition), String(position), state, ''];
        for (let i = 0; i < count; i++) words.push(String(cells[i]), String(crossings[i]), String(timesMs[i]));
        return client.sendCommand(words);
      },
      close: () => client.close(),
    };
  },
  async mongodb(url) {
    const client = new MongoClient(url);
    const [cellMap, saved] = [
      client.db().collection<{ _id: number }>('heat_map'),
      client.db().collection('checkpoints'),
    ];
    return {
      write: ({ rows: { count, cells, crossings, timesMs }, checkpoint: { partition, position, state } }) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const updates = Array.from({ length: count }, (_, i) => ({
              updateOne: {
                filter: { _id: cells[i] as number },
                update: { $inc: { crossings: crossings[i] as number }, $max: { timeMs: timesMs[i] as number } },
                upsert: true,
              },
            }));
            if (count > 0) await cellMap.bulkWrite(updates as never, { session });
            const change = { $set: { position, state } };
            await saved.updateOne({ _id: partition as never }, change, { upsert: true, session });
          }),
        ),
      close: () => client.close(),
    };
  },
  cassandra,
  hbase,
  ignite,
};
