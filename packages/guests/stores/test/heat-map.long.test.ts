/** Heat maps on databases that are Java programs. */
import { itemEngines, storeEngines } from '@topo-bench/core';
import { auth, Client } from 'cassandra-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHeatMap, openHeatMap, removeHeatMap } from '../src/heat-map/index.ts';
import type { SumsStore } from '../src/heat-map/owned-sums.ts';
import { describeHeatMap, entry, far, june, rowsOf } from './fixtures/heat-map-contract.ts';
import { type OwnServers, startServers } from './fixtures/test-servers.ts';

const engines = storeEngines.filter((engine) => !itemEngines.some((other) => other === engine));
let servers: OwnServers;

// They start in a minute on a loaded machine.
beforeAll(async () => {
  servers = await startServers(engines);
}, 240_000);

afterAll(() => servers?.stop());

for (const engine of engines) describeHeatMap(engine, () => servers);

describe('a heat map on cassandra after a death', () => {
  it('has the rows of a job that died after it saved their checkpoint, once the next job claims it', async ({
    skip,
  }) => {
    const reason = servers.missing('cassandra');
    skip(reason !== undefined, reason);
    const url = await createHeatMap({ engine: 'cassandra', url: servers.get('cassandra').url, name: 'died' });
    const { host, pathname, username, password } = new URL(url);
    const client = new Client({
      contactPoints: [host],
      keyspace: pathname.slice(1),
      localDataCenter: 'datacenter1',
      authProvider: new auth.PlainTextAuthProvider(username, password),
    });
    const open = () => openHeatMap({ engine: 'cassandra', url, connections: 1, timeoutMs: 20_000 });
    const [first, second] = [await open(), await open()];
    try {
      const { owner } = await first.claim(1);
      await first.add(rowsOf([entry(1, 2, june), entry(far, 1, june)]), {
        partition: 1,
        position: 5,
        state: 'a',
        owner,
      });
      // As the first job would save it: sums of the cells, before their rows are written.
      const pending = Buffer.from(Float64Array.of(1, 9, june + 7, 3, 1, june).buffer);
      await client.execute(
        `UPDATE checkpoints SET sequence = 2, position = 10, state = 'b', pending = ? WHERE partition = 1 IF owner = ?`,
        [pending, owner],
        { prepare: true },
      );
      expect(await second.read(1)).toEqual(entry(1, 2, june));
      expect(await second.claim(1)).toEqual({
        owner: owner + 1,
        checkpoint: { partition: 1, position: 10, state: 'b' },
      });
      expect(await second.range(0, june * 2)).toEqual([entry(3, 1, june), entry(far, 1, june), entry(1, 9, june + 7)]);
      // Its own connection has not seen the claim: only the server can refuse this.
      const late = first.add(rowsOf([entry(1, 5, june)]), { partition: 1, position: 12, state: '', owner });
      await expect(late).rejects.toMatchObject({ code: 'TB_STORE_CLAIMED' });
      // The next owner adds to what it found.
      await second.add(rowsOf([entry(1, 1, june)]), { partition: 1, position: 11, state: 'c', owner: owner + 1 });
      expect(await second.read(1)).toEqual(entry(1, 10, june + 7));
    } finally {
      await Promise.all([first.close(), second.close(), client.shutdown()]);
    }
  });
});

describe('a heat map on ignite that is created again', () => {
  it('rejects writes of a job on the earlier one, whose owners and epochs have the same numbers', async ({ skip }) => {
    const reason = servers.missing('ignite');
    skip(reason !== undefined, reason);
    const server = { engine: 'ignite', url: servers.get('ignite').url, name: 'again' } as const;
    const open = async () =>
      openHeatMap({ engine: 'ignite', url: await createHeatMap(server), connections: 1, timeoutMs: 20_000 });
    const earlier = await open();
    const { owner } = await earlier.claim(0);
    const now = await open();
    try {
      expect(await now.claim(0)).toEqual({ owner, checkpoint: undefined });
      const checkpoint = { partition: 0, position: 5, state: 'a', owner };
      const late = { code: 'TB_STORE_UNAVAILABLE', message: expect.stringContaining('does not exist any more') };
      await expect(earlier.add(rowsOf([entry(7, 2, june)]), checkpoint)).rejects.toMatchObject(late);
      await now.add(rowsOf([entry(7, 5, june)]), checkpoint);
      await expect(earlier.add(rowsOf([entry(7, 2, june)]), checkpoint)).rejects.toMatchObject(late);
      // Rows of an earlier epoch that arrive after those of the new one.
      await expect((earlier as unknown as SumsStore).write('0/1', [entry(7, 2, june)])).rejects.toMatchObject(late);
      expect(await now.read(7)).toEqual(entry(7, 5, june));
    } finally {
      await Promise.all([earlier.close(), now.close()]);
      await removeHeatMap(server);
    }
  });
});
