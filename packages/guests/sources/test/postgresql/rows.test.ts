/** Tables of a real PostgreSQL, read as rows. */
import { type AddressInfo, connect, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { emptyDatabase, sharedServers } from '../../../stores/test/fixtures/test-servers.ts';
import { openSource, type Row, type Source } from '../../src/index.ts';

let database: string;
let owner: pg.Client;

beforeAll(async () => {
  database = await emptyDatabase(await sharedServers(['postgresql']));
  owner = new pg.Client({ connectionString: database });
  await owner.connect();
  await owner.query(`CREATE TABLE sale (id int PRIMARY KEY, price numeric(7, 2), at timestamp)`);
  await owner.query(
    `INSERT INTO sale SELECT n, n / 100.0, timestamp '2020-01-01 00:00:00.000001' + n * interval '1 s' FROM generate_series(1, 2500) AS n`,
  );
});

afterAll(async () => {
  await owner?.end();
});

async function all(source: Source, batchRows: number, limitRows?: number): Promise<Row[][]> {
  const batches: Row[][] = [];
  const options = limitRows === undefined ? { batchRows } : { batchRows, limitRows };
  for await (const rows of source.rows(options)) batches.push([...rows]);
  return batches;
}

describe('rows of a PostgreSQL table', () => {
  it('come in batches of the given size, with the exact values', async () => {
    const source = await openSource({ kind: 'postgresql', url: database, table: 'sale' });
    const batches = await all(source, 1000);
    expect(batches.map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect(batches[0]?.[0]).toEqual({ id: 1, price: '0.01', at: '2020-01-01 00:00:01.000001' });
    expect(String(source.schema)).toBe(
      'Schema<{ 0: id: Int32, 1: price: Decimal[7e+2], 2: at: Timestamp<MICROSECOND> }>',
    );
    expect((await all(source, 1000, 1)).flat()).toHaveLength(1);
    await source.close();
  });

  it('of a query are those that it selects', async () => {
    const query = 'SELECT id FROM sale WHERE id > 2490 ORDER BY id DESC;';
    const source = await openSource({ kind: 'postgresql', url: database, query });
    expect((await all(source, 3)).flat().map(({ id }) => id)).toEqual([
      2500, 2499, 2498, 2497, 2496, 2495, 2494, 2493, 2492, 2491,
    ]);
    await source.close();
  });

  it('have arrays of every text type', async () => {
    const types = ['text', 'varchar', 'bpchar', 'name', '"char"', 'json', 'uuid'];
    const value = (type: string): string => (type === 'uuid' ? '00112233-4455-6677-8899-aabbccddeeff' : '1');
    const query = `SELECT ${types.map((type) => `'{${value(type)},NULL}'::${type}[] AS ${type}`).join(', ')}`;
    const source = await openSource({ kind: 'postgresql', url: database, query });
    const rows = Object.fromEntries(types.map((type) => [type.replaceAll('"', ''), [value(type), null]]));
    expect(await all(source, 3)).toEqual([[rows]]);
    await source.close();
  });

  it('begin with the first row of a large table, also after a read that stopped within it', async () => {
    // A row on each page: more than a quarter of the server's cache, above which scans share their pages.
    await owner.query('CREATE UNLOGGED TABLE large (id int, text text)');
    await owner.query('ALTER TABLE large ALTER text SET STORAGE PLAIN');
    await owner.query(`INSERT INTO large SELECT n, repeat('x', 7000) FROM generate_series(1, 6000) AS n`);
    const source = await openSource({ kind: 'postgresql', url: database, table: 'large' });
    expect((await all(source, 1000, 3000)).flat()).toHaveLength(3000);
    expect((await all(source, 1, 1)).flat()[0]).toMatchObject({ id: 1 });
    await source.close();
  });

  it('leave no connection behind when the reader stops early', async () => {
    const source = await openSource({ kind: 'postgresql', url: database, table: 'sale' });
    for await (const rows of source.rows({ batchRows: 10 })) if (rows.length > 0) break;
    await source.close();
    // The server ends its side a moment later.
    const connections = () =>
      owner.query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`);
    await expect.poll(async () => (await connections()).rows).toEqual([]);
  });
});

describe('a read of PostgreSQL that fails', () => {
  it.each([
    ['a missing table', { table: 'sales' }, 'TB_SOURCE_NOT_FOUND', 'table sales does not exist'],
    ['a wrong query', { query: 'SELECT nope' }, 'TB_SOURCE_QUERY', 'column "nope" does not exist'],
    [
      'a type without mapping',
      { query: `SELECT point '(1, 2)' AS place` },
      'TB_SOURCE_TYPE',
      'column place: got type point',
    ],
    ['a decimal of any size', { query: 'SELECT 1.5 AS price' }, 'TB_SOURCE_TYPE', 'numeric without precision'],
    ['two columns of a name', { query: 'SELECT 1 AS a, 2 AS a' }, 'TB_SOURCE_TYPE', 'column a: got two columns'],
    ['a column named __proto__', { query: 'SELECT 1 AS "__proto__"' }, 'TB_SOURCE_TYPE', 'column __proto__'],
  ])('names the offender: %s', async (_, from, code, message) => {
    await expect(openSource({ kind: 'postgresql', url: database, ...from })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('by a wrong password, shows no password', async () => {
    const url = new URL(database);
    url.password = 'wrong-secret';
    const error = await openSource({ kind: 'postgresql', url: url.href, table: 'sale' }).catch((error) => error);
    expect(error).toMatchObject({ code: 'TB_STORE_LOGIN' });
    expect(JSON.stringify([error.message, error.hint])).not.toContain('wrong-secret');
  });

  it('is an error when the store ends its connection in the middle', async () => {
    const source = await openSource({ kind: 'postgresql', url: database, table: 'sale' });
    const read = async (): Promise<number> => {
      let count = 0;
      for await (const rows of source.rows({ batchRows: 100 })) {
        if (count === 0) {
          await owner.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'topo-bench sources'`,
          );
        }
        count += rows.length;
      }
      return count;
    };
    await expect(read()).rejects.toMatchObject({
      code: 'TB_SOURCE_LOST',
      message: expect.stringContaining('after 100 rows'),
    });
    await source.close();
  });

  it.each(['to_regclass', 'LIMIT 0', 'format_type'])('is lost when the connection ends at %s', async (statement) => {
    const { hostname, port } = new URL(database);
    const cutting = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.on('data', (bytes) => {
        if (!bytes.includes(statement)) return void upstream.write(bytes);
        client.destroy();
        upstream.destroy();
      });
      upstream.pipe(client);
    });
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void cutting.close());
    const url = new URL(database);
    url.port = String((cutting.address() as AddressInfo).port);
    await expect(openSource({ kind: 'postgresql', url: url.href, table: 'sale' })).rejects.toMatchObject({
      code: 'TB_SOURCE_LOST',
      message: expect.stringContaining('sale: the store ended the read after 0 rows'),
    });
  });

  it('by its signal rejects with the reason', async () => {
    const stop = new AbortController();
    const source = await openSource({ kind: 'postgresql', url: database, table: 'sale' }, { signal: stop.signal });
    const read = async (): Promise<void> => {
      for await (const _ of source.rows({ batchRows: 100 })) stop.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
    await source.close();
  });
});
