/** Heat maps on the databases that also keep items. Those that are Java programs: `heat-map.long.test.ts`. */
import { itemEngines } from '@topo-bench/core';
import pg from 'pg';
import { beforeAll, expect, it, vi } from 'vitest';
import { createHeatMap, openHeatMap } from '../src/heat-map/index.ts';
import { describeHeatMap, entry, june, rowsOf } from './fixtures/heat-map-contract.ts';
import { sharedServers, type TestServers } from './fixtures/test-servers.ts';

let servers: TestServers;

beforeAll(async () => {
  servers = await sharedServers(itemEngines);
});

for (const engine of itemEngines) describeHeatMap(engine, () => servers);

it('a heat map on postgresql has no deadlocks of writers of common cells', async ({ skip }) => {
  const reason = servers.missing('postgresql');
  skip(reason !== undefined, reason);
  const { url } = servers.get('postgresql');
  const live = await createHeatMap({ engine: 'postgresql', url, name: 'deadlocks' });
  const heatMap = await openHeatMap({ engine: 'postgresql', url: live, connections: 4, timeoutMs: 20_000 });
  const cells = Array.from({ length: 300 }, (_, i) => i);
  const batch = (writer: number) => rowsOf(cells.map((_, i) => entry((i * 11 + 75 * writer) % 300, 1, june)));
  const saved = (partition: number) => ({ partition, position: 1, state: '' });
  for (let round = 0; round < 3; round++) {
    await Promise.all([0, 1, 2, 3].map((writer) => heatMap.add(batch(writer), writer < 2 ? undefined : saved(writer))));
  }
  await heatMap.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // A connection that has ended has reported its rolled back transactions.
  const database = new URL(live).pathname.slice(1);
  const query = 'SELECT deadlocks::int, xact_commit::int FROM pg_stat_database WHERE datname = $1';
  const counts = async () => (await client.query(query, [database])).rows[0];
  await vi.waitFor(async () => expect((await counts()).xact_commit).toBeGreaterThanOrEqual(12));
  expect((await counts()).deadlocks).toBe(0);
  await client.end();
});
