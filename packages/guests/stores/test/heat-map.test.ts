/** Heat maps on the databases that also keep items. Those that are Java programs: `heat-map.long.test.ts`. */
import { itemEngines } from '@topo-bench/core';
import { beforeAll } from 'vitest';
import { describeHeatMap } from './fixtures/heat-map-contract.ts';
import { sharedServers, type TestServers } from './fixtures/test-servers.ts';

let servers: TestServers;

beforeAll(async () => {
  servers = await sharedServers(itemEngines);
});

for (const engine of itemEngines) describeHeatMap(engine, () => servers);
