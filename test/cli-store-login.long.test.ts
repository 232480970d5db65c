/** A wrong password of a store's server, as `run` reports it: server, user and way out, and never the password. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemEngines } from '@topo-bench/core';
import { engines } from '@topo-bench/stores/engines';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = 'guessed-and-told-nobody';
const stores = { postgresql: 'sql-indexed', mysql: 'sql-indexed', mongodb: 'document', redis: 'key-value' } as const;

describe.each(itemEngines)('run with a wrong password for %s', (engine) => {
  const folder = temporaryFolder();
  let server: StoreServer | undefined;
  beforeAll(async () => {
    const isHere = (await (await engines[engine].server()).findServer()) !== undefined;
    if (isHere) server = await startServer({ engine });
    const store = `{ store: ${stores[engine]}, engine: ${engine}, rows: 20 }`;
    writeFileSync(
      join(folder, 'topology.yaml'),
      `apiVersion: topo-bench/v1\nkind: Topology\nname: kept\nservices: [{ name: items, persistence: ${store} }]\n`,
    );
    writeFileSync(
      join(folder, 'experiment.yaml'),
      `apiVersion: topo-bench/v1\nkind: Experiment\nname: kept\ntopology: topology.yaml\nrepetitions: 1\n` +
        `factors: { workload: [mixed], connections: [1] }\nload: { driver: autocannon }\nduration: 500ms\n`,
    );
  });
  afterAll(() => server?.stop());
  beforeEach(({ skip }) => {
    if (process.env.CI === 'true') expect(server).toBeDefined();
    else skip(!server, `no server of ${engine} is on this machine`);
  });

  it.each([
    [(url: URL) => Object.assign(url, { password: secret }), 'with a password'],
    [(url: URL) => Object.assign(url, { password: '' }), 'without a password'],
  ])('names server, user and way out', async (change, given) => {
    const url = change(new URL((server as StoreServer).url));
    const { flag } = engines[engine];
    const args = ['run', 'experiment.yaml', flag, url.href, '--out', 'wrong', '--json'];
    const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
    expect(code, stderr).toBe(3);
    const [, message = '', hint = ''] = /^error TB_STORE_LOGIN: (.*)\nhint: (.*)$/m.exec(stderr) ?? [];
    expect(message).toContain(url.host);
    expect(message).toContain(`the ${engine} server at `);
    expect(message).toContain(
      `rejects the login: got ${url.username === '' ? 'no user' : `user ${url.username}`} ${given}`,
    );
    expect(hint).toMatch(new RegExp(`user and password .*${flag}`));
    expect(stdout + stderr).not.toMatch(/guessed|SASL|WRONGPASS|\n +at /);
    const files = existsSync(join(folder, 'wrong'))
      ? readdirSync(join(folder, 'wrong'), { recursive: true, withFileTypes: true })
      : [];
    const texts = files
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'));
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
