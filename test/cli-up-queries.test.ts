/** The shipped topology with queries, as users meet it: up, asked in SQL, stopped. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import { encodeQueryText, encodeSqlMessage } from '@topo-bench/arrow-flight/sql';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

it('up topologies/queries.yaml answers a query over Flight SQL under the shipped rules', async () => {
  const env = { XDG_STATE_HOME: join(temporaryFolder(), 'state') };
  const run = startTopoBench(['up', 'topologies/queries.yaml', '--json'], { env });
  await run.saw('\n', 'stdout');
  const { services, tokenFile, headersFile } = JSON.parse(run.stdout()) as {
    services: { name: string; url: string; flightUrl?: string; itemsUrl?: string }[];
    tokenFile: string;
    headersFile: string;
  };
  const orders = services.find(({ name }) => name === 'orders');
  const client = new FlightClient(orders?.flightUrl as string);
  await expect(client.getFlightInfo({ path: ['orders'] })).rejects.toMatchObject({ status: 'unauthenticated' });
  expect([tokenFile, headersFile].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  const token = readFileSync(tokenFile, 'utf8');
  expect(readFileSync(headersFile, 'utf8')).toBe(`x-topo-token: ${token}\n`);
  await client.authenticateBasic('client', token);
  // Items: through the sidecar and with the facts that its rules ask about; the service itself refuses them.
  const facts = { 'x-topo-class': 'order', 'x-topo-origin': 'eu', 'x-topo-purpose': 'contract' };
  const access = { 'x-topo-token': token, ...facts };
  expect((await fetch(`${orders?.itemsUrl}?limit=1`, { headers: access })).status).toBe(200);
  expect((await fetch(`${orders?.itemsUrl}?limit=1`, { headers: facts })).status).toBe(401);
  expect((await fetch(`${orders?.itemsUrl}?limit=1`, { headers: { 'x-topo-token': token } })).status).toBe(400);
  expect((await fetch(`${orders?.url}/items?limit=1`, { headers: access })).status).toBe(401);
  expect((await fetch(`${orders?.url}/arrow`)).status).toBe(401);
  const text = 'SELECT count(*) AS items, count(customer) AS customers FROM items';
  const command = encodeSqlMessage({ type: 'CommandStatementQuery', value: encodeQueryText(text) });
  const answer: unknown[] = [];
  for await (const batch of readFlight(client, await client.getFlightInfo({ command })))
    answer.push(batch.get(0)?.toJSON());
  expect(answer).toEqual([{ items: 10_000n, customers: 10_000n }]);
  await client.close(0);
  run.process.kill('SIGINT');
  expect((await run.ended).code).toBe(0);
  expect([tokenFile, headersFile].filter((file) => existsSync(file))).toEqual([]);
});
