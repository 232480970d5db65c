/**
 * Only the run gets into a server that it started: not over the network, not through files, not by looking at
 * processes.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { itemEngines } from '@topo-bench/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../src/engines.ts';
import { startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';
import { engineRows } from '../engine-rows.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
describe.each(itemEngines)('a server of %s that topo-bench starts', (engine) => {
  const { users, admin, logIn } = engineRows[engine];
  let server: StoreServer;
  let isHere = false;
  beforeEach(({ skip }) => {
    if (process.env.CI !== 'true') skip(!isHere, `no server of ${engine} is on this machine`);
  });
  beforeAll(async () => {
    isHere = (await (await engines[engine].server()).findServer()) !== undefined;
    if (isHere) server = await startServer({ engine });
  });
  afterAll(() => server?.stop());

  const portOf = (): number => Number(/127\.0\.0\.1:(\d+)/.exec(server.url)?.[1]);
  const passwordOf = (): string => decodeURIComponent(/:([^:@/]+)@/.exec(server.url)?.[1] ?? '');
  const folderOf = (): string =>
    dirname(server.started.map((arg) => /\/[^=]*topo-bench-[^/]+\/[\w.-]+/.exec(arg)?.[0]).find(Boolean) as string);

  it('accepts its run, and no user without the password', async () => {
    expect(passwordOf()).toMatch(/^[A-Za-z0-9_-]{32}$/);
    for (const user of users) {
      for (const password of [undefined, '', 'postgres', 'guess']) {
        const attempt = logIn(portOf(), user, password);
        await expect(attempt, `${user} with ${password}`).rejects.toThrow();
      }
    }
    await expect(logIn(portOf(), admin, passwordOf())).resolves.toBeDefined();
  });

  it('is reported as rejecting the login, not as silent, when its password is wrong or missing', async () => {
    const at = (login: string): string => server.url.replace(/\/\/[^@]*@/, `//${login}`);
    const wrong = startServer({ engine, url: at(`${admin}:guess@`) });
    await expect(wrong).rejects.toMatchObject({
      code: 'TB_STORE_LOGIN',
      exitCode: 3,
      message: expect.stringContaining(`answers, but rejects the login: got user ${admin} with a password`),
      hint: expect.stringContaining('correct user and password in the file'),
    });
    await expect(wrong).rejects.not.toThrow(/guess|SASL|WRONGPASS/);
    const missing = startServer({ engine, url: at(`${admin}@`) });
    await expect(missing).rejects.toMatchObject({
      code: 'TB_STORE_LOGIN',
      message: expect.stringContaining(`got user ${admin} without a password`),
    });
    await expect(startServer({ engine, url: server.url })).resolves.toMatchObject({ origin: 'connection-string' });
  });

  it('has a new password at every start, and keeps it through a restart', async () => {
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
  });

  it.skipIf(process.platform !== 'linux')('never shows the password in a command line, environment or log', () => {
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

  it.skipIf(!isRoot)('hides its files from other users, and runs as a user without an account where possible', () => {
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
