/** PostgreSQL of the system, for a machine without the package from npm. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyEmbedded, findEmbedded } from '../../src/postgresql/embedded.ts';
import { findInstalledServer } from '../../src/postgresql/server.ts';
import { launch } from '../../src/servers/launch.ts';

const path = process.env.PATH;
let folder: string;
beforeAll(async () => {
  const embedded = await findEmbedded();
  folder = mkdtempSync(join(tmpdir(), 'topo-bench-installed-'));
  chmodSync(folder, 0o755);
  await copyEmbedded(embedded?.native as string, join(folder, 'native'));
  mkdirSync(join(folder, 'path'));
  symlinkSync(join(folder, 'native/bin/postgres'), join(folder, 'path/postgres'));
});
afterAll(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true, force: true });
});

test('a server behind a link on the PATH runs with the programs next to it, and with its own settings', async () => {
  process.env.PATH = join(folder, 'path');
  const program = join(folder, 'path/postgres');
  const found = findInstalledServer();
  expect(found).toMatchObject({ product: 'PostgreSQL', program, place: `, ${program}` });
  const server = await launch(found?.recipe() as never, '127.0.0.1');
  const client = new pg.Client(server.url);
  try {
    expect(server).toMatchObject({ origin: 'found-binary', source: program });
    await client.connect();
    const { rows } = await client.query('SHOW fsync');
    expect(rows).toEqual([{ fsync: 'on' }]);
  } finally {
    await client.end();
    await server.stop();
  }
});
