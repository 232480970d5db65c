/** PostgreSQL behind PgBouncer, for a role with a date style and a zone of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlSource } from '@topo-bench/stores/postgresql/reader';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { Field, Int32, Schema, TimestampMicrosecond } from 'apache-arrow';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, loadTable, openSource } from '../../src/index.ts';

const missing = spawnSync('pgbouncer', ['--version']).error ? 'no pgbouncer on the PATH' : undefined;
const expected = [{ d: 19_782, at: 1_709_210_096_500_000n, bytes: [0, 255] }];

let server: StoreServer;
let folder: string;
const poolers: ChildProcess[] = [];

beforeAll(async () => {
  if (missing) return;
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-pooler-'));
  await chmod(folder, 0o755);
  server = await startServer({ engine: 'postgresql' });
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  await owner.query(`CREATE ROLE styled SUPERUSER LOGIN PASSWORD 'styled';
    ALTER ROLE styled SET datestyle = 'German'; ALTER ROLE styled SET timezone = 'America/New_York';
    ALTER ROLE styled SET bytea_output = 'escape'; ALTER ROLE styled SET extra_float_digits = -15;
    CREATE TABLE items (id int, d date, at timestamptz);
    INSERT INTO items VALUES (1, '2024-02-29', '2024-02-29 12:34:56.5Z');
    CREATE TABLE days AS SELECT date '2024-02-29' AS d, timestamptz '2024-02-29 12:34:56.5Z' AS at, '\\x00ff'::bytea AS bytes`);
  await owner.end();
});

afterAll(async () => {
  for (const pooler of poolers) pooler.kill();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/**
 * @param more lines of its configuration; default: every client has the role `styled`
 * @returns the address of the database through a pooler of this mode
 */
async function pooled(
  mode: string,
  { user: login = 'user=styled password=styled', more = 'auth_type = any' } = {},
): Promise<string> {
  const { hostname, port, pathname } = new URL(server.url);
  const own = await freePort();
  const file = join(folder, `${mode}.ini`);
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
${more}
pool_mode = ${mode}
default_pool_size = 4
`,
  );
  // It does not run for root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const pooler = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...user });
  poolers.push(pooler);
  const url = `postgresql://styled:styled@127.0.0.1:${own}${pathname}`;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isOpen) return url;
    if (pooler.exitCode !== null) throw new Error(`pgbouncer has ended with ${pooler.exitCode}`);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe.skipIf(missing)(`PostgreSQL behind a pooler${missing ? ` (skipped: ${missing})` : ''}`, () => {
  it.each(['session', 'transaction'])('has the values of the server: pool mode %s', async (mode) => {
    const url = await pooled(mode);
    const source = await openSource({ kind: 'postgresql', url, table: 'days' });
    for await (const rows of source.rows({ batchRows: 10 })) {
      expect(rows).toEqual([{ d: '2024-02-29', at: '2024-02-29 12:34:56.5+00', bytes: Buffer.from([0, 255]) }]);
      expect(valuesOf(batchOfRows(source.schema, rows))).toEqual(expected);
    }
    for (const connections of [1, 2]) {
      for await (const batch of source.columns({ batchRows: 10, connections }))
        expect(valuesOf(batch)).toEqual(expected);
    }
    await source.close();
    const schema = new Schema([new Field('n', new Int32(), true), new Field('at', new TimestampMicrosecond(), true)]);
    const batch = batchOfRows(schema, [{ n: 1, at: '2024-02-29 00:00:00.000001' }]);
    const loaded = await loadTable({ kind: 'postgresql', url, table: 'loaded' }, { schema, batches: () => [batch] });
    expect(loaded.rows).toBe(1);
  });

  it.each(['session', 'transaction'])('answers SQL of callers with settings of its own: pool mode %s', async (mode) => {
    const users = join(folder, 'users.txt');
    await writeFile(users, '"styled" "styled"\n');
    // Each role logs in as itself. The settings of the start-up packet are dropped.
    const more = `auth_type = scram-sha-256
auth_file = ${users}
auth_user = styled
auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1
ignore_startup_parameters = extra_float_digits, options`;
    const owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    const url = await pooled(mode, { user: '', more });
    const source = await openSqlSource({ url, columns: ['id', 'd', 'at'], connections: 2, timeLimitMs: 20_000 });
    const reader = `${new URL(server.url).pathname.slice(1)}_reader`;
    await owner.query(
      `ALTER ROLE ${reader} SET datestyle = 'German'; ALTER ROLE ${reader} SET timezone = 'Asia/Tokyo'`,
    );
    const rowsOf = async (text: string, signal = new AbortController().signal): Promise<unknown[]> => {
      const { rows } = await source.run(text, [], signal);
      const all: unknown[] = [];
      for await (const some of rows) all.push(...some);
      return all;
    };
    try {
      const text = `SELECT d::text, at::text, current_setting('statement_timeout'), current_setting('transaction_read_only'), session_user FROM items`;
      expect(await rowsOf(text)).toEqual([['2024-02-29', '2024-02-29 12:34:56.5+00', '20s', 'on', reader]]);

      const running = async (): Promise<number> =>
        (
          await owner.query(
            "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
          )
        ).rowCount ?? 0;
      const abort = new AbortController();
      const cancelled = rowsOf('SELECT pg_sleep(60)', abort.signal).catch(({ kind }: { kind: string }) => kind);
      await expect.poll(running, { timeout: 10_000 }).toBe(1);
      abort.abort();
      expect(await cancelled).toBe('cancelled');
      await expect.poll(running, { timeout: 10_000 }).toBe(0);
    } finally {
      await source.close();
      await owner.end();
    }
  });

  it('refuses statement pooling by name, and options of the address with the way out', async () => {
    const source = await openSource({ kind: 'postgresql', url: await pooled('statement'), table: 'days' });
    await expect(source.rows({ batchRows: 10 })[Symbol.asyncIterator]().next()).rejects.toThrow(/statement pooling/);
    await source.close();
    const url = `${await pooled('session')}?options=-c%20search_path%3Dpublic`;
    await expect(openSource({ kind: 'postgresql', url, table: 'days' })).rejects.toMatchObject({
      message: expect.stringContaining('startup parameter'),
      hint: expect.stringContaining('leave the options of the session out'),
    });
  });
});

function valuesOf(batch: ReturnType<typeof batchOfRows>): unknown[] {
  const [d, at, bytes] = ['d', 'at', 'bytes'].map((name) => batch.getChild(name));
  return Array.from({ length: batch.numRows }, (_, row) => ({
    d: d?.data[0]?.values[row],
    at: at?.data[0]?.values[row],
    bytes: Array.from(bytes?.get(row) ?? []),
  }));
}
