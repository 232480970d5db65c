/** Nobody but the run gets into a server that it started: not over the network, not through files, not by looking at processes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createClient } from '@redis/client';
import type { StoreEngine } from '@topo-bench/core/persistence';
import { MongoClient } from 'mongodb';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findServers } from '../../src/servers/found-binaries.ts';
import { startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const isHere = (engine: StoreEngine): boolean =>
  engine === 'postgresql' || findServers().some((server) => server.engine === engine);

/** Logs in as the user of this name, or as none, and does something. */
type LogIn = (port: number, user: string | undefined, password: string | undefined) => Promise<unknown>;

const logIns: Record<StoreEngine, { users: (string | undefined)[]; logIn: LogIn }> = {
  postgresql: {
    users: ['postgres', 'nobody', 'root'],
    async logIn(port, user, password) {
      const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' });
      client.on('error', () => {});
      try {
        await client.connect();
        return (await client.query("COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'")).rowCount;
      } finally {
        await client.end().catch(() => {});
      }
    },
  },
  mysql: {
    users: ['root', '', 'mariadb.sys', 'mysql'],
    async logIn(port, user = '', password = '') {
      const connection = await createConnection({ host: '127.0.0.1', port, user, password });
      try {
        return await connection.query('SHOW DATABASES');
      } finally {
        await connection.end().catch(() => {});
      }
    },
  },
  mongodb: {
    users: [undefined, 'topo-bench', 'root'],
    async logIn(port, user, password) {
      const access = user === undefined ? '' : `${user}:${password || 'none'}@`;
      const client = new MongoClient(`mongodb://${access}127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 3000,
      });
      try {
        return await client.db('admin').command({ listDatabases: 1 });
      } finally {
        await client.close();
      }
    },
  },
  redis: {
    users: [undefined, 'default'],
    async logIn(port, user, password) {
      const access = { ...(user !== undefined && { username: user }), ...(password && { password }) };
      const client = createClient({ ...access, socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
      client.on('error', () => {});
      try {
        await client.connect();
        return await client.sendCommand(['CONFIG', 'GET', 'dir']);
      } finally {
        if (client.isOpen) client.destroy();
      }
    },
  },
};

describe.each(Object.keys(logIns) as StoreEngine[])('a server of %s that topo-bench starts', (engine) => {
  const { users, logIn } = logIns[engine];
  let server: StoreServer;
  beforeEach(({ skip }) => {
    if (process.env.CI !== 'true') skip(!isHere(engine), `no server of ${engine} is on this machine`);
  });
  beforeAll(async () => {
    if (isHere(engine)) server = await startServer({ engine });
  }, 60_000);
  afterAll(() => server?.stop());

  const portOf = (): number => Number(/127\.0\.0\.1:(\d+)/.exec(server.url)?.[1]);
  const passwordOf = (): string => decodeURIComponent(/:([^:@/]+)@/.exec(server.url)?.[1] ?? '');
  const folderOf = (): string =>
    dirname(server.started.map((arg) => /\/[^=]*topo-bench-[^/]+\/[\w.-]+/.exec(arg)?.[0]).find(Boolean) as string);

  it('lets its run in, and nobody without the password, by whatever name', async () => {
    expect(passwordOf()).toMatch(/^[A-Za-z0-9_-]{32}$/);
    for (const user of users) {
      for (const password of [undefined, '', 'postgres', 'guess']) {
        const attempt = logIn(portOf(), user, password);
        await expect(attempt, `${user} with ${password}`).rejects.toThrow();
      }
    }
    const admin = { postgresql: 'postgres', mysql: 'root', mongodb: 'topo-bench', redis: 'default' }[engine];
    await expect(logIn(portOf(), admin, passwordOf())).resolves.toBeDefined();
  });

  it('has another password at every start, and keeps it through a restart', async () => {
    const other = await startServer({ engine });
    try {
      expect(other.url.replace(/:\d+/, '')).not.toBe(server.url.replace(/:\d+/, ''));
      expect(/:([^:@/]+)@/.exec(other.url)?.[1]).not.toBe(passwordOf());
      const died = new Promise((resolve) => {
        other.onDeath = resolve;
      });
      process.kill(other.pid as number, 'SIGKILL');
      await died;
      await other.restart();
      const port = Number(/127\.0\.0\.1:(\d+)/.exec(other.url)?.[1]);
      await expect(logIn(port, users[0], '')).rejects.toThrow();
    } finally {
      await other.stop();
    }
  }, 60_000);

  it.skipIf(process.platform !== 'linux')('shows the password in no command line, environment or log', () => {
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
    expect(texts.filter((text) => text.includes(passwordOf()))).toEqual([]);
    expect(server.started.join(' ')).not.toContain(passwordOf());
    expect(readFileSync(`${folderOf()}/server.log`, 'utf8')).not.toContain(passwordOf());
  });

  it.skipIf(!isRoot)('gives other users no file, and where it can runs as a user without an account', () => {
    const folder = folderOf();
    const as = (uid: number) => ({ uid, gid: uid, encoding: 'utf8' as const });
    for (const script of [`ls ${folder}`, `ls ${folder}/data`, `cat ${folder}/access.conf ${folder}/access.sql`]) {
      const { status, stdout } = spawnSync('sh', ['-c', script], as(nobody));
      expect([script, status === 0, stdout]).toEqual([script, false, '']);
    }
    expect(statSync(folder).mode & 0o007).toBe(0);
    const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]);
    // SecantusDB is a script of Python, which stays with the user whose interpreter it is.
    expect([uid === 0, uid === nobody]).toEqual([server.source.endsWith('secantusd-py'), false]);
    expect(uid === 0 ? '' : execFileSync('sh', ['-c', `getent passwd ${uid} || true`], { encoding: 'utf8' })).toBe('');
    expect(spawnSync('sh', ['-c', `kill -0 ${server.pid}`], as(nobody)).status).not.toBe(0);
  });
});
