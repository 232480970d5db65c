/**
 * Jobs on a store of each kind of guarantee: transactions, and a script that the server runs whole. All other stores:
 * `stores.long.test.ts`.
 */
import { beforeAll } from 'vitest';
import { sharedServers, type TestServers } from '../../stores/test/fixtures/test-servers.ts';
import { describeJobs } from './fixtures/jobs-on-store.ts';

const engines = ['postgresql', 'redis'] as const;
let servers: TestServers;

beforeAll(async () => {
  servers = await sharedServers(engines);
});

for (const engine of engines) describeJobs(engine, () => servers);
