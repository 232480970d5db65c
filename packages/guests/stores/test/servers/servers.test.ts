/** Servers that stores live on, with the real ones: started, asked, killed, and gone without a trace. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { itemEngines, type StoreEngine } from '@topo-bench/core';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { engines } from '../../src/engines.ts';
import { startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';
import { surveyStores } from '../../src/servers/survey.ts';

const servers: StoreServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function embedded(): Promise<StoreServer> {
  const server = await startServer({ engine: 'postgresql' });
  servers.push(server);
  return server;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end().catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (condition()) return;
    await sleep(50);
  }
  throw new Error(`never: ${what}`);
}

describe('the embedded PostgreSQL', () => {
  test('is a real server with its default durability', async () => {
    const server = await embedded();
    expect(server.origin).toBe('embedded');
    const settings = await ask(
      server.url,
      `SELECT name, setting, boot_val FROM pg_settings WHERE name IN
      ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'shared_buffers')`,
    );
    const durable = settings.filter(({ name }) => name !== 'shared_buffers' && name !== 'wal_sync_method');
    expect(durable.map(({ setting }) => setting)).toEqual(['on', 'on', 'on']);
    expect(server.started.join(' ')).not.toMatch(/fsync|synchronous|full_page/);
  });

  test('runs with a private temporary folder, and leaves no files behind', async () => {
    const temporary = process.env.TMPDIR;
    const closed = mkdtempSync(join(tmpdir(), 'topo-bench-closed-'));
    process.env.TMPDIR = closed;
    const server = await embedded().finally(() => {
      if (temporary === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = temporary;
    });
    const [row] = await ask(server.url, 'SHOW data_directory');
    const folder = String(row?.data_directory);
    const pid = server.pid as number;
    expect(existsSync(folder)).toBe(true);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(readdirSync(closed)).toEqual([]);
    rmdirSync(closed);
  });

  test('keeps acknowledged writes when it is killed and restarted', async () => {
    const server = await embedded();
    const died = new Promise((resolve) => {
      server.onDeath = resolve;
    });
    await ask(server.url, 'CREATE TABLE kept (n int)');
    await ask(server.url, 'INSERT INTO kept SELECT generate_series(1, 1000)');
    process.kill(server.pid as number, 'SIGKILL');
    expect(await died).toMatchObject({ code: 'TB_STORE_SERVER_FAILED', message: expect.stringContaining('SIGKILL') });
    await server.restart();
    expect(await ask(server.url, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 1000 }]);
  });

  test('is a new process on the same data after a renewal, which is not reported as an exit', async () => {
    const server = await embedded();
    const deaths: unknown[] = [];
    server.onDeath = (error) => deaths.push(error);
    await ask(server.url, 'CREATE TABLE kept (n int)');
    await ask(server.url, 'INSERT INTO kept SELECT generate_series(1, 1000)');
    const before = server.pid as number;
    await server.renew();
    expect(server.pid).not.toBe(before);
    expect([isAlive(before), isAlive(server.pid as number)]).toEqual([false, true]);
    expect(await ask(server.url, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 1000 }]);
    const [row] = await ask(
      server.url,
      'SELECT extract(epoch FROM now() - pg_postmaster_start_time())::float AS seconds',
    );
    expect(row?.seconds).toBeLessThan(60);
    await server.renew();
    process.kill(server.pid as number, 'SIGKILL');
    await until(() => deaths.length > 0, 'its death was reported');
    expect(deaths).toHaveLength(1);
  });

  test('ends and removes its data when the process that started it is killed', async () => {
    const script = fileURLToPath(new URL('../fixtures/start-and-wait.ts', import.meta.url));
    const tsx = import.meta.resolve('tsx');
    const parent = spawn(process.execPath, ['--import', tsx, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => parent.stdout.once('data', (text) => resolve(String(text))));
    const { pid, url } = JSON.parse(line) as { pid: number; url: string };
    const [row] = await ask(url, 'SHOW data_directory');
    const backend = await new Promise<pg.Client>((resolve, reject) => {
      const client = new pg.Client(url);
      client.on('error', () => {});
      client.connect().then(() => resolve(client), reject);
    });
    const data = String(row?.data_directory);
    expect([isAlive(pid), existsSync(data)]).toEqual([true, true]);
    parent.kill('SIGKILL');
    await until(() => !isAlive(pid), 'the server ended');
    await until(() => !existsSync(data), 'the data is gone');
    await backend.end().catch(() => {});
  });
});

const installed = async (engine: StoreEngine) => (await engines[engine].server()).findServer();

describe('the origin of a server', () => {
  test('a connection string takes precedence over the embedded server', async () => {
    const running = await embedded();
    const named = await startServer({ engine: 'postgresql', url: running.url });
    expect(named).toMatchObject({ origin: 'connection-string', source: 'the file', pid: undefined });
    await named.stop();
    await ask(running.url, 'SELECT 1');
  });

  test('a user-supplied server without answer is reported without its password', async () => {
    const wrong = startServer({
      engine: 'postgresql',
      flags: { postgresql: 'postgresql://u:secret@127.0.0.1:1/none' },
    });
    await expect(wrong).rejects.toMatchObject({ code: 'TB_STORE_UNREACHABLE', exitCode: 3 });
    await expect(wrong).rejects.toThrow(
      'the postgresql server (named by --postgres-url) does not answer: tried postgresql://127.0.0.1:1, and',
    );
    await expect(wrong).rejects.not.toThrow(/secret/);
  });

  test('an address of another database is rejected before any connection', async () => {
    const wrong = startServer({ engine: 'mongodb', url: 'postgresql://u:secret@127.0.0.1/x' });
    await expect(wrong).rejects.toMatchObject({ code: 'TB_STORE_URL', exitCode: 2 });
    await expect(wrong).rejects.not.toThrow(/secret/);
  });

  test('without any server the error lists the alternatives', async () => {
    const path = process.env.PATH;
    process.env.PATH = '';
    try {
      // Some systems keep servers in folders that are searched for any path.
      if (await installed('mongodb')) return;
      await expect(startServer({ engine: 'mongodb' })).rejects.toMatchObject({
        code: 'TB_STORE_NO_SERVER',
        exitCode: 3,
        hint: 'specify one with --mongodb-url or TOPO_BENCH_MONGODB_URL, or put mongod or secantusd-py on the PATH (pip install secantusdb), or write `image: mongo:8` under `persistence` to run it in a container',
      });
    } finally {
      process.env.PATH = path;
    }
  });

  test('the survey finds the embedded server, and calls no server by the name of another', async () => {
    const survey = await surveyStores();
    expect(survey.find(({ engine }) => engine === 'postgresql')?.found).toMatch(/^PostgreSQL \d+\.\d+ embedded/);
    const mongodb = survey.find(({ engine }) => engine === 'mongodb')?.found;
    const isOther = mongodb !== undefined && !(await installed('mongodb'))?.program.endsWith('mongod');
    expect(mongodb?.startsWith('SecantusDB') ?? false).toBe(isOther);
  });
});

describe('servers with a binary on the machine', () => {
  // Cassandra takes ten seconds for each start; the suite of heat maps starts one.
  const wanted = itemEngines.filter((engine) => engine !== 'postgresql');
  test.for(wanted)('%s starts, answers, and is gone after `stop`', async (engine, { skip }) => {
    const { findServer, installation } = await engines[engine].server();
    const isHere = (await findServer()) !== undefined;
    if (process.env.CI !== 'true') skip(!isHere, `no server of ${engine} is on this machine: ${installation}`);
    const server = await startServer({ engine });
    servers.push(server);
    const first = server.pid as number;
    expect(isAlive(first)).toBe(true);
    await server.renew();
    const pid = server.pid as number;
    expect([isAlive(first), isAlive(pid), pid === first]).toEqual([false, true, false]);
    await server.stop();
    expect(isAlive(pid)).toBe(false);
  });
});
