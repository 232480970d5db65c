/** Columns of a real PostgreSQL over Arrow Flight, read by our client and by pyarrow. */
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingModule, runPython } from '../../../libraries/arrow-flight/test/fixtures/python.ts';
import { emptyDatabase, sharedServers } from '../../stores/test/fixtures/test-servers.ts';
import { servedSource, serveTables, type TablesEndpoint } from '../src/flight/index.ts';
import { openSource, type Source } from '../src/index.ts';

let url: string;
let owner: pg.Client;
let endpoint: TablesEndpoint;
const sources: Source[] = [];

const some = `SELECT n, CASE WHEN n <> 2 THEN n / -4.0 END::numeric(7, 2) AS price, 'é' || n AS note,
  date '1970-01-01' + n AS day, ARRAY[n, NULL]::int8[] AS pair FROM generate_series(1, 3) AS n`;
const many = 'SELECT n, md5(n::text) AS text FROM generate_series(1, 2000000) AS n';
const failing = 'SELECT 1 / (n - 1500) AS v FROM generate_series(1, 3000) AS n';

beforeAll(async () => {
  url = await emptyDatabase(await sharedServers(['postgresql']));
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const tables = new Map();
  for (const [name, query] of Object.entries({ some, many, failing })) {
    const source = await openSource({ kind: 'postgresql', url, query });
    sources.push(source);
    tables.set(name, servedSource(source, { batchRows: 1000, connections: 1 }));
  }
  endpoint = await serveTables(tables);
});

afterAll(async () => {
  await endpoint?.close(0);
  for (const source of sources) await source.close();
  await owner?.end();
});

const backends = (): Promise<pg.QueryResult> =>
  owner.query(`SELECT wait_event FROM pg_stat_activity WHERE application_name = 'topo-bench sources' AND query ~ '^COPY'
    AND state = 'active'`);

describe('a table over Flight', () => {
  it('has every row, and the server of the store waits for a slow reader', async () => {
    const client = new FlightClient(endpoint.url);
    const info = await client.getFlightInfo({ path: ['many'] });
    let [rows, sum] = [0, 0];
    for await (const batch of readFlight(client, info)) {
      if (rows === 0) {
        const waiting = { timeout: 10_000 };
        await expect.poll(async () => (await backends()).rows, waiting).toEqual([{ wait_event: 'ClientWrite' }]);
      }
      rows += batch.numRows;
      for (const n of batch.getChildAt(0)?.toArray() ?? []) sum += n;
    }
    expect({ rows, sum }).toEqual({ rows: 2_000_000, sum: 2_000_001_000_000 });
    await client.close();
  });

  it('ends its read in the store when the reader disconnects', async () => {
    const client = new FlightClient(endpoint.url);
    let batches = 0;
    for await (const _ of readFlight(client, await client.getFlightInfo({ path: ['many'] })))
      if (++batches === 1) break;
    expect(batches).toBe(1);
    await client.close();
    await expect.poll(async () => (await backends()).rows, { timeout: 10_000 }).toEqual([]);
  });

  it.each([
    ['failing', { status: 'invalid-argument', message: expect.stringContaining('division by zero') }],
    ['none', { status: 'not-found', message: expect.stringContaining('no table none') }],
  ])('that cannot be read is an error, not a short table: %s', async (name, error) => {
    const client = new FlightClient(endpoint.url);
    const reading = (async () => {
      let rows = 0;
      for await (const batch of await client.doGet(Buffer.from(name))) rows += batch.numRows;
      return rows;
    })();
    await expect(reading).rejects.toMatchObject(error);
    await client.close();
  });

  const missing = missingModule('pyarrow.flight');
  it.skipIf(missing)(`is read by pyarrow${missing ? ` (${missing})` : ''}`, async () => {
    const script = '../../../../guests/sources/test/interop/read_table.py';
    expect(await runPython(script, endpoint.url, 'some')).toEqual({
      types: ['int32', 'decimal128(7, 2)', 'string', 'date32[day]', 'list<item: int64>'],
      rows: [
        { n: 1, price: '-0.25', note: 'é1', day: '1970-01-02', pair: [1, null] },
        { n: 2, price: null, note: 'é2', day: '1970-01-03', pair: [2, null] },
        { n: 3, price: '-0.75', note: 'é3', day: '1970-01-04', pair: [3, null] },
      ],
    });
  });
});
