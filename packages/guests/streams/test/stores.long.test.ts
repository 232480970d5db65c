/** Jobs on every other store, Java programs among them. */
import { storeEngines } from '@topo-bench/core';
import { afterAll, beforeAll } from 'vitest';
import { type OwnServers, startServers } from '../../stores/test/fixtures/test-servers.ts';
import { describeJobs } from './fixtures/jobs-on-store.ts';

const engines = storeEngines.filter((engine) => engine !== 'postgresql' && engine !== 'redis');
let servers: OwnServers;

// They start in a minute on a loaded machine.
beforeAll(async () => {
  servers = await startServers(engines);
}, 240_000);

afterAll(() => servers?.stop());

for (const engine of engines) describeJobs(engine, () => servers);
