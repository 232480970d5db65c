/** The shipped topology with queries, as users meet it: up, asked in SQL, stopped. */
import { join } from 'node:path';
import { FlightClient } from '@topo-bench/flight/client/flight-client';
import { readFlight } from '@topo-bench/flight/client/read-flight';
import { encodeSqlMessage } from '@topo-bench/flight/sql/any';
import { encodeQueryText } from '@topo-bench/flight/sql/messages';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

it('up topologies/queries.yaml answers a query over Flight SQL under the shipped rules', async () => {
  const env = { XDG_STATE_HOME: join(temporaryFolder(), 'state') };
  const run = startTopoBench(['up', 'topologies/queries.yaml', '--json'], { env });
  await run.saw('\n', 'stdout');
  const { services } = JSON.parse(run.stdout()) as { services: { name: string; flightUrl?: string }[] };
  const client = new FlightClient(services.find(({ name }) => name === 'orders')?.flightUrl as string);
  const text = 'SELECT count(*) AS items, count(customer) AS customers FROM items';
  const command = encodeSqlMessage({ type: 'CommandStatementQuery', value: encodeQueryText(text) });
  for await (const batch of readFlight(client, await client.getFlightInfo({ command }))) {
    expect(batch.get(0)?.toJSON()).toEqual({ items: 10_000n, customers: 10_000n });
  }
  await client.close(0);
  run.process.kill('SIGINT');
  expect((await run.ended).code).toBe(0);
});
