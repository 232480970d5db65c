/** A Cassandra server that topo-bench starts accepts its run alone. It starts in ten seconds: one for all tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSession, withSession } from '../../src/cassandra/driver.ts';
import { replaceFirstUser } from '../../src/cassandra/first-user.ts';
import { findServer } from '../../src/cassandra/server.ts';
import { startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';

const timeoutMs = 10_000;

describe('a server of cassandra that topo-bench starts', { timeout: 240_000 }, () => {
  let server: StoreServer;
  const isHere = findServer().then((found) => found !== undefined);
  beforeEach(async ({ skip }) => {
    if (process.env.CI !== 'true') skip(!(await isHere), 'no server of cassandra is on this machine');
  });
  beforeAll(async () => {
    if (await isHere) server = await startServer({ engine: 'cassandra' });
  }, 240_000);
  afterAll(() => server?.stop());

  const at = (login: string): string => server.url.replace(/\/\/[^@]*@/, `//${login}`);
  const run = (url: string, text: string) =>
    withSession(url, timeoutMs, async (session) => (await session.execute(text, [], { prepare: false })).rows);
  const users = 'SELECT role FROM system_auth.roles';
  const isReady = 'SELECT release_version FROM system.local';

  it('accepts its own user, and no other', async () => {
    for (const login of ['', 'cassandra:cassandra@', 'topo-bench@', 'topo-bench:guess@', 'cassandra:guess@'])
      await expect(run(at(login), isReady), login).rejects.toThrow();
    expect((await run(server.url, users)).map(({ role }) => role)).toEqual(['topo-bench']);
  });

  it('is reported as rejecting the login when its password is wrong or missing', async () => {
    for (const login of ['topo-bench:guess@', 'topo-bench@', ''])
      await expect(startServer({ engine: 'cassandra', url: at(login) }), login).rejects.toMatchObject({
        code: 'TB_STORE_LOGIN',
      });
  });

  it.skipIf(process.platform !== 'linux')('never shows the password in a command line, environment or log', () => {
    const password = new URL(server.url).password;
    expect(password).toMatch(/^[\w-]{32}$/);
    const texts = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap((pid) => ['cmdline', 'environ'].map((file) => `/proc/${pid}/${file}`))
      .map((file) => {
        try {
          return readFileSync(file, 'latin1');
        } catch {
          return '';
        }
      });
    expect(texts.filter((text) => text.includes('CassandraDaemon'))).not.toEqual([]);
    expect(texts.filter((text) => text.includes(password))).toEqual([]);
    expect(server.started.join(' ')).not.toContain(password);
    const folder = server.started.map((arg) => /\/[^=]*topo-bench-cassandra-[^/]+/.exec(arg)?.[0]).find(Boolean);
    expect(readFileSync(`${folder}/server.log`, 'utf8')).not.toContain(password);
  });

  it('is not used when another program was there before our user', async () => {
    const { hostname: host, port, password } = new URL(server.url);
    const again = () => replaceFirstUser({ host, port: Number(port) }, { name: 'topo-bench', password });
    await expect(again()).resolves.toBeUndefined();
    await run(server.url, "CREATE ROLE intruder WITH LOGIN = true AND PASSWORD = 'x'");
    await expect(again()).rejects.toMatchObject({
      code: 'TB_STORE_SERVER_FAILED',
      message: 'cassandra: got the users intruder, topo-bench at its start, expected topo-bench',
    });
    const session = newSession(at('intruder:x@'), { timeoutMs, connections: 1 });
    try {
      await session.connect();
      await run(server.url, 'DROP ROLE intruder');
      await expect(again()).rejects.toThrow(/got \d other connections at its start, expected none/);
    } finally {
      await session.shutdown();
    }
    await expect(again()).resolves.toBeUndefined();
  });

  it('keeps its user through a restart', async () => {
    const died = new Promise((resolve) => {
      server.onDeath = resolve;
    });
    process.kill(server.pid as number, 'SIGKILL');
    await died;
    await server.restart();
    await expect(run(at('cassandra:cassandra@'), isReady)).rejects.toThrow();
    expect((await run(server.url, users)).map(({ role }) => role)).toEqual(['topo-bench']);
  });
});
