/** SQL of callers on a real PostgreSQL: right answers as they are asked for, and nothing but answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SqlFailure, type SqlRow, type SqlSource } from '@topo-bench/columns/sql-source';
import { seededItem } from '@topo-bench/workload';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columnsOfItems, openSqlSource } from '../src/index.ts';
import { prepareStore } from '../src/prepare-store.ts';
import { sharedServers, type TestServers } from './fixtures/test-servers.ts';

const rows = 50;
const seed = 3;
let servers: TestServers;
let url: string;
/** Client of the owner of the data, for a view from outside. */
let owner: pg.Client;
const all = columnsOfItems('sql-indexed').map(({ name }) => name);
const opened: SqlSource[] = [];

beforeAll(async () => {
  servers = await sharedServers(['postgresql']);
  if (servers.missing('postgresql')) return;
  const prepared = await prepareStore({
    url: servers.get('postgresql').url,
    configuration: 'sql-indexed',
    dataset: { rows, seed },
    service: 'sql-source',
  });
  url = prepared.url;
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
});

afterAll(async () => {
  for (const source of opened) await source.close();
  await owner?.end();
});

beforeEach(({ skip }) => {
  const reason = servers.missing('postgresql');
  if (reason) skip(reason);
});

async function open(
  options: { columns?: string[]; connections?: number; timeLimitMs?: number } = {},
): Promise<SqlSource> {
  const source = await openSqlSource({ url, columns: all, connections: 4, timeLimitMs: 20_000, ...options });
  opened.push(source);
  return source;
}

const never = new AbortController().signal;

async function rowsOf(source: SqlSource, text: string, values: SqlRow = [], signal = never): Promise<SqlRow[]> {
  const found: SqlRow[] = [];
  const result = await source.run(text, values, signal);
  for await (const chunk of result.rows) found.push(...chunk);
  return found;
}

async function failureOf(source: SqlSource, text: string, values: SqlRow = []): Promise<SqlFailure> {
  const failure = await rowsOf(source, text, values).catch((error: unknown) => error);
  expect(failure, text).toBeInstanceOf(SqlFailure);
  return failure as SqlFailure;
}

/** Sessions of the readers that work on a query. */
async function running(): Promise<number> {
  const { rows: found } = await owner.query(
    "SELECT FROM pg_stat_activity WHERE usename LIKE 'topo_bench_%_reader' AND state = 'active'",
  );
  return found.length;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5);
}

describe('an SQL source', () => {
  it('returns the items unchanged, with the types of their columns', async () => {
    const source = await open();
    const text = 'SELECT id, total_cents, created_at FROM items WHERE customer = $1 ORDER BY id';
    const items = Array.from({ length: rows }, (_, number) => seededItem(seed, number, rows));
    const customer = items[0]?.customer as string;
    const expected = items
      .filter((item) => item.customer === customer)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, totalCents }) => [id, String(totalCents)]);
    const found = await rowsOf(source, text, [customer]);
    expect(found.map(([id, cents]) => [id, cents])).toEqual(expected);
    expect(await source.describe(text, never)).toEqual({
      columns: [
        { name: 'id', typeId: 25, modifier: -1 },
        { name: 'total_cents', typeId: 23, modifier: -1 },
        { name: 'created_at', typeId: 1184, modifier: 3 },
      ],
      parameterTypeIds: [25],
    });
  });

  it('returns columns without rows, and distinguishes NULL from an empty text', async () => {
    const source = await open();
    const { columns, rows: none } = await source.run('SELECT id FROM items WHERE false', [], never);
    expect(columns).toHaveLength(1);
    for await (const chunk of none) expect(chunk).toBeUndefined();
    expect(await rowsOf(source, "SELECT NULL::text, ''")).toEqual([[null, '']]);
  });

  it('reports errors in the words of the database, with the place', async () => {
    const source = await open();
    expect(await failureOf(source, 'SELECT id\nFORM items')).toMatchObject({
      kind: 'wrong',
      message: 'syntax error at or near "items", at line 2, column 6',
    });
    expect(await failureOf(source, "SELECT 'ü', nothing FROM items")).toMatchObject({
      kind: 'wrong',
      message: 'column "nothing" does not exist, at line 1, column 13',
    });
    expect(await failureOf(source, 'SELECT 1 / 0')).toMatchObject({ kind: 'wrong', message: 'division by zero' });
    expect(await failureOf(source, 'SELECT $1::int', ['x'])).toMatchObject({ kind: 'wrong' });
    expect(await failureOf(source, 'SELECT 1; SELECT 2')).toMatchObject({ kind: 'wrong' });
    expect(await failureOf(source, 'SELECT 1\0; DROP TABLE items')).toMatchObject({ kind: 'wrong' });
  });

  it('cannot write', async () => {
    const source = await open();
    const writes = [
      'DELETE FROM items',
      'DELETE FROM items RETURNING id',
      'WITH gone AS (DELETE FROM items RETURNING id) SELECT * FROM gone',
      'EXPLAIN ANALYZE DELETE FROM items',
      'UPDATE items SET note = note RETURNING id',
      'SELECT id FROM items FOR UPDATE',
      'CREATE TABLE mine (a int)',
      'CREATE TEMPORARY TABLE mine (a int)',
      'SELECT 1 AS a INTO mine',
      'DROP TABLE items',
      'TRUNCATE items',
      'COMMIT',
      'SET ROLE postgres',
      'RESET SESSION AUTHORIZATION',
      'SET transaction_read_only = off',
      'DO $$ BEGIN DELETE FROM items; END $$',
      'VACUUM',
      'CREATE EXTENSION dblink',
      "SELECT set_config('transaction_read_only', 'off', true)",
      'SELECT lo_create(0)',
      '',
    ];
    for (const text of writes) expect(['denied', 'wrong'], text).toContain((await failureOf(source, text)).kind);
    const { rows: found } = await owner.query('SELECT count(*)::int AS items FROM items');
    expect(found).toEqual([{ items: rows }]);
  });

  it('cannot reach files or programs of the machine, or other privileges', async () => {
    const source = await open();
    const reaching = [
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT pg_read_binary_file('PG_VERSION')",
      "SELECT pg_ls_dir('.')",
      "SELECT * FROM pg_stat_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      "SELECT lo_export(1, '/tmp/mine')",
      'SELECT * FROM pg_hba_file_rules',
      'SELECT rolpassword FROM pg_authid',
      'SHOW data_directory',
      "SELECT set_config('role', 'postgres', false)",
      "SELECT set_config('session_authorization', 'postgres', false)",
      'SELECT pg_reload_conf()',
      'SELECT stavalues1 FROM pg_statistic',
    ];
    for (const text of reaching) expect(await failureOf(source, text), text).toMatchObject({ kind: 'denied' });
    const copies = ["COPY items TO '/tmp/mine'", "COPY items TO PROGRAM 'cat'", 'COPY items TO STDOUT', "LOAD 'x'"];
    for (const text of copies) expect(await failureOf(source, text), text).toMatchObject({ kind: 'denied' });
    expect(
      await rowsOf(source, 'SELECT session_user = current_user, rolsuper FROM pg_roles WHERE rolname = user'),
    ).toEqual([['t', 'f']]);
  });

  it('denies access to columns that were not granted, in every clause', async () => {
    const source = await open({ columns: ['id', 'status'] });
    expect(await rowsOf(source, 'SELECT id, status FROM items')).toHaveLength(rows);
    for (const text of [
      'SELECT * FROM items',
      'SELECT customer FROM items',
      'SELECT md5(customer) AS id FROM items',
      "SELECT id FROM items WHERE customer > 'a'",
      'SELECT id FROM items ORDER BY customer',
      'SELECT items FROM items',
      'SELECT to_json(items) FROM items',
      'SELECT a.id FROM items a JOIN items b ON a.id = b.customer',
      'EXPLAIN SELECT customer FROM items',
      "SELECT query_to_xml('SELECT customer FROM items', true, true, '')",
      'SELECT xmin FROM public.items',
      'SELECT id FROM public.items',
    ]) {
      expect(await failureOf(source, text), text).toMatchObject({ kind: 'denied' });
    }
    expect(await rowsOf(source, "SELECT FROM pg_stats WHERE tablename = 'items' AND attname = 'customer'")).toEqual([]);
  });

  it('returns rows in an order that no withheld column decides, whatever the settings of the session', async () => {
    const dataset = { rows: 3000, seed };
    const at = { url: servers.get('postgresql').url, dataset, service: 'sql-order' };
    const settings = {
      enable_seqscan: ['off', 'on'],
      enable_sort: ['off', 'on'],
      enable_indexscan: ['off', 'on'],
      enable_bitmapscan: ['off', 'on'],
      parallel_setup_cost: ['0', '1000'],
    };
    const fixed = {
      parallel_tuple_cost: '0',
      min_parallel_table_scan_size: '0',
      min_parallel_index_scan_size: '0',
      random_page_cost: '0',
    };
    const names = Object.keys(settings) as (keyof typeof settings)[];
    const variants = names.reduce<Record<string, string>[]>(
      (found, name) => found.flatMap((one) => settings[name].map((value) => ({ ...one, [name]: value }))),
      [fixed],
    );
    for (const [configuration, columns] of [
      ['sql-indexed', ['id', 'total_cents', 'note']],
      ['sql-indexed', ['total_cents', 'currency']],
      ['hybrid-indexed', ['id', 'document']],
    ] as const) {
      const prepared = await prepareStore({ ...at, configuration });
      const source = await openSqlSource({ url: prepared.url, columns, connections: 1, timeLimitMs: 20_000 });
      try {
        const [[sorted] = []] = await rowsOf(
          source,
          `SELECT array_agg(i ORDER BY i) FROM (SELECT ${columns[0]} AS i FROM items) s`,
        );
        for (const variant of configuration === 'sql-indexed' ? variants : variants.slice(0, 8)) {
          const set = Object.entries(variant).map(([name, value]) => `set_config('${name}', '${value}', false)`);
          // The inner query is planned with these settings.
          const inner = `query_to_xml('SELECT array_agg(${columns[0]}) AS a FROM items', true, true, '')`;
          const text = `SELECT xpath('/row/a/element/text()', ${inner}) FROM (SELECT ${set.join(' || ')} AS set OFFSET 0) s WHERE set <> ''`;
          expect((await rowsOf(source, text))[0]?.[0], JSON.stringify([columns, variant])).toBe(sorted);
        }
      } finally {
        await source.close();
      }
    }
  });

  it('shares no state between queries', async () => {
    const source = await open();
    await rowsOf(
      source,
      "SELECT set_config('timezone', 'Asia/Tokyo', false), set_config('search_path', 'pg_catalog', false)",
    );
    await rowsOf(source, 'SELECT pg_advisory_lock(1)');
    expect(await rowsOf(source, 'SHOW timezone')).toEqual([['UTC']]);
    expect(await rowsOf(source, 'SELECT count(*) FROM items')).toEqual([[String(rows)]]);
    await until(async () => (await owner.query("SELECT FROM pg_locks WHERE locktype = 'advisory'")).rowCount === 0);
  });

  it('cancels a query in the database when its caller disconnects, before its first row and between rows', async () => {
    const source = await open({ timeLimitMs: 600_000 });
    // Which would end it too, later.
    await owner.query('ALTER ROLE topo_bench_sql_source_reader SET client_connection_check_interval = 0');
    for (const text of ['SELECT pg_sleep(600)', "SELECT generate_series(1, 100000000), repeat('x', 1000)"]) {
      const caller = new AbortController();
      const query = rowsOf(source, text, [], caller.signal);
      query.catch(() => {});
      await until(async () => (await running()) === 1);
      caller.abort();
      await expect(query).rejects.toMatchObject({ kind: 'cancelled' });
      await until(async () => (await running()) === 0);
    }
  });

  it('cancels a query when its caller stops reading', async () => {
    const source = await open();
    const { rows: chunks } = await source.run("SELECT generate_series(1, 100000000), repeat('x', 1000)", [], never);
    let taken = 0;
    for await (const chunk of chunks) {
      taken = chunk.length;
      break;
    }
    expect(taken).toBeGreaterThan(0);
    await until(async () => (await running()) === 0);
  });

  it('reads with back-pressure', async () => {
    const source = await open();
    const { rows: chunks } = await source.run("SELECT generate_series(1, 100000), repeat('x', 1000)", [], never);
    const iterator = chunks[Symbol.asyncIterator]();
    let taken = (await iterator.next()).value?.length ?? 0;
    const waits =
      "SELECT FROM pg_stat_activity WHERE wait_event = 'ClientWrite' AND usename LIKE 'topo_bench_%_reader'";
    await until(async () => (await owner.query(waits)).rowCount === 1);
    const before = process.memoryUsage().rss;
    await sleep(200);
    expect((await owner.query(waits)).rowCount).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 ** 2);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) taken += next.value.length;
    expect(taken).toBe(100_000);
  });

  it('cancels a query after its timeout, also one that disables the timeout of the database', async () => {
    const source = await open({ timeLimitMs: 300 });
    expect(await failureOf(source, 'SELECT pg_sleep(600)')).toMatchObject({
      kind: 'timeout',
      message: 'canceling statement due to statement timeout',
    });
    const { rows: chunks } = await source.run("SELECT generate_series(1, 100000000), repeat('x', 1000)", [], never);
    const slowly = (async () => {
      for await (const _ of chunks) await sleep(100);
    })();
    await expect(slowly).rejects.toMatchObject({ kind: 'timeout' });
    await until(async () => (await running()) === 0);
  });

  it('rejects an oversized row', async () => {
    const source = await open();
    expect(await failureOf(source, "SELECT repeat('x', 70000000)")).toMatchObject({ kind: 'too-large' });
  });

  it('rejects a query that would fill the disk, and a change of that limit by a caller', async () => {
    const source = await open();
    const sorted =
      "SELECT count(*) FROM (SELECT repeat('x', 1000) || n AS x FROM generate_series(1, 400000) n ORDER BY 1 OFFSET 1) s";
    expect(await failureOf(source, sorted)).toMatchObject({
      kind: 'too-large',
      message: expect.stringContaining('temp_file_limit'),
    });
    expect(await failureOf(source, "SELECT set_config('temp_file_limit', '-1', false)")).toMatchObject({
      kind: 'denied',
    });
  });

  it('runs the max number of concurrent queries, and the others after them', async () => {
    const source = await open({ connections: 2 });
    const caller = new AbortController();
    const sleeping = [1, 2].map(() =>
      rowsOf(source, 'SELECT pg_sleep(600)', [], caller.signal).catch((error: unknown) => error),
    );
    await until(async () => (await running()) === 2);
    const third = rowsOf(source, 'SELECT 3');
    const impatient = new AbortController();
    const fourth = rowsOf(source, 'SELECT 4', [], impatient.signal);
    impatient.abort(new SqlFailure('cancelled', 'gone'));
    await expect(fourth).rejects.toMatchObject({ message: 'gone' });
    caller.abort();
    expect(await third).toEqual([['3']]);
    for (const query of sleeping) expect(await query).toMatchObject({ kind: 'cancelled' });
  });

  it('drops its role when it is closed, and rejects one of the same name with other privileges', async () => {
    const source = await openSqlSource({ url, columns: all, connections: 1, timeLimitMs: 1000 });
    const role = "SELECT FROM pg_roles WHERE rolname LIKE 'topo_bench_%_reader'";
    expect((await owner.query(role)).rowCount).toBe(1);
    await source.close();
    expect((await owner.query(role)).rowCount).toBe(0);
    const name = 'topo_bench_sql_source_reader';
    await owner.query(`CREATE ROLE ${name} SUPERUSER LOGIN`);
    await expect(openSqlSource({ url, columns: all, connections: 1, timeLimitMs: 1000 })).rejects.toMatchObject({
      code: 'TB_STORE_REFUSED',
      message: expect.stringContaining(name),
    });
    await owner.query(`DROP ROLE ${name}`);
  });
});
