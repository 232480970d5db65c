/**
 * Jobs on a store of each kind of guarantee: transactions, and a script that the server runs whole. All other stores:
 * `stores.long.test.ts`.
 */
import { afterAll, beforeAll } from 'vitest';
import { startServers, type TestServers } from '../../stores/test/fixtures/test-servers.ts';
import { describeJobs } from './fixtures/jobs-on-store.ts';

const engines = ['postgresql', 'redis'] as const;
let servers: TestServers;

beforeAll(async () => {
  servers = await startServers(engines);
});

afterAll(() => servers?.stop());

for (const engine of engines) describeJobs(engine, () => servers);
