/** Stores that end in the middle of a read: an error, never a short read that looks whole. */
import { chmod, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { smallDisk } from '../../../../test/fixtures/small-disk.ts';
import { loadTable, openSource, type Source, type SourceTable, storeSalesData } from '../src/index.ts';
import { fullDiskProxy } from './fixtures/full-disk-proxy.ts';
import { startStores, type TestStores } from './fixtures/test-stores.ts';

const rows = 20_000;
let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

/** @param onFirst called after the first batch */
async function read(source: Source, onFirst: () => Promise<void>, path: 'rows' | 'columns' = 'rows'): Promise<number> {
  const options = { batchRows: 100, connections: 1 };
  let count = 0;
  for await (const some of path === 'rows' ? source.rows(options) : source.columns(options)) {
    if (count === 0) await onFirst();
    count += 'numRows' in some ? some.numRows : some.length;
  }
  return count;
}

/** A server that a test may kill. */
async function ownServer(kind: 'postgresql' | 'mongodb', skip: (reason: string) => void): Promise<StoreServer> {
  const reason = stores.missing(kind);
  if (reason) skip(reason);
  const server = await startServer({ engine: kind });
  onTestFinished(() => server.stop());
  return server;
}

describe.each([
  ['postgresql', 'rows'],
  ['mongodb', 'rows'],
  ['mongodb', 'columns'],
] as const)('a %s server', (kind, path) => {
  it(`that is killed in the middle of a read of ${path} ends it with an error`, async ({ skip }) => {
    const server = await ownServer(kind, skip);
    const { url } = server;
    const table: SourceTable =
      kind === 'mongodb' ? { kind, url, database: 'sources', collection: 'killed' } : { kind, url, table: 'killed' };
    await loadTable(table, storeSalesData({ rows: kind === 'mongodb' ? 2000 : rows, seed: 1 }));
    const source = await openSource(table);
    const kill = async (): Promise<void> => {
      server.onDeath = () => {};
      process.kill(server.pid as number, 'SIGKILL');
    };
    await expect(read(source, kill, path)).rejects.toMatchObject({
      code: 'TB_SOURCE_LOST',
      message: expect.stringMatching(/killed: the store ended the read after \d+ rows: /),
    });
    await source.close();
    await expect(openSource(table)).rejects.toMatchObject({ code: 'TB_STORE_UNREACHABLE' });
  });
});

describe('a wrong password', () => {
  it('of MongoDB is named as such, and in no message', async ({ skip }) => {
    const reason = stores.missing('mongodb');
    if (reason) skip(reason);
    const table = stores.table('mongodb', 'sales') as SourceTable & { kind: 'mongodb' };
    const url = table.url.replace(/:[^:@/]+@/, ':guessed-secret@');
    expect(url).not.toBe(table.url);
    const failure = await openSource({ ...table, url }).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ code: 'TB_STORE_LOGIN', hint: 'correct user and password of the address' });
    expect(JSON.stringify([(failure as Error).message, failure])).not.toContain('guessed-secret');
  });
});

describe('a Parquet file', () => {
  it('that is cut while it is read ends the read with an error', async () => {
    const table = stores.table('parquet', 'cut') as SourceTable & { kind: 'parquet' };
    await loadTable(table, storeSalesData({ rows: 30_000, seed: 1 }));
    const source = await openSource(table);
    const cut = async (): Promise<void> => {
      const file = await open(table.file, 'r+');
      await file.truncate(1000);
      await file.close();
    };
    await expect(read(source, cut)).rejects.toMatchObject({
      code: 'TB_SOURCE_DAMAGED',
      message: expect.stringContaining('cut.parquet cannot be read'),
    });
    await source.close();
  });

  it('with a damaged page is refused', async () => {
    const table = stores.table('parquet', 'damaged') as SourceTable & { kind: 'parquet' };
    await loadTable(table, storeSalesData({ rows: 1000, seed: 1 }));
    const bytes = await readFile(table.file);
    await writeFile(table.file, bytes.fill(0xff, 4, 2000));
    const source = await openSource(table);
    await expect(read(source, async () => {})).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED' });
    await source.close();
  });
});

describe('a full disk', () => {
  const large = storeSalesData({ rows: 100_000, seed: 1 });
  const error = (reason: RegExp, hint: RegExp = /^free space.* TMPDIR$/) => ({
    code: 'TB_SOURCE_DISK_FULL',
    message: expect.stringMatching(reason),
    hint: expect.stringMatching(hint),
  });
  /** `TMPDIR` is of no use for a server of the user. */
  const ofServer = /^free space on the disk of the database server, or load fewer rows$/;

  it('of a Parquet file ends the load, and leaves nothing of it', async ({ skip }) => {
    const disk = smallDisk(join(stores.folder, 'disk'), 'size=1m');
    if (typeof disk === 'string') return skip(disk);
    onTestFinished(disk.unmount);
    const table = { kind: 'parquet', file: join(disk.folder, 'full.parquet') } as const;
    await expect(loadTable(table, large)).rejects.toMatchObject(
      error(/^cannot load file .*full\.parquet: the disk is full \(ENOSPC/),
    );
    expect(await readdir(disk.folder)).toEqual([]);
  });

  it('of PostgreSQL ends the load, and leaves the earlier table', async ({ skip }) => {
    const server = await startServer({ engine: 'postgresql' });
    onTestFinished(() => server.stop());
    const owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    onTestFinished(() => owner.end());
    const { rows } = await owner.query('SHOW data_directory');
    const { uid } = await stat(rows[0].data_directory);
    // The server is another user, who must reach and own the folder.
    const place = await mkdtemp(join(tmpdir(), 'topo-bench-small-disk-'));
    onTestFinished(() => rm(place, { recursive: true }));
    await chmod(place, 0o755);
    const disk = smallDisk(join(place, 'disk'), `size=1m,mode=700,uid=${uid}`);
    if (typeof disk === 'string') return skip(disk);
    onTestFinished(disk.unmount);
    await owner.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
    await owner.query('ALTER DATABASE postgres SET default_tablespace = small');
    const table = { kind: 'postgresql', url: server.url, table: 'sales' } as const;
    await loadTable(table, storeSalesData({ rows: 100, seed: 1 }));
    await expect(loadTable(table, large)).rejects.toMatchObject(
      error(/^cannot load table sales: the disk is full \(could not extend file/, ofServer),
    );
    const { rows: counts } = await owner.query('SELECT count(*)::int AS rows FROM sales');
    expect(counts).toEqual([{ rows: 100 }]);
  });

  // The server of these tests does not report it as MongoDB does: the answer to an insert is MongoDB's.
  it('of MongoDB ends the load, and leaves the earlier collection', async ({ skip }) => {
    const server = await ownServer('mongodb', skip);
    const table = { kind: 'mongodb', url: server.url, database: 'sources', collection: 'sales' } as const;
    await loadTable(table, storeSalesData({ rows: 100, seed: 1 }));
    const proxy = await fullDiskProxy(server.url);
    onTestFinished(proxy.close);
    await expect(loadTable({ ...table, url: proxy.url }, large)).rejects.toMatchObject(
      error(/^cannot load collection sources\.sales: the disk is full \(no space left on device\)/, ofServer),
    );
    expect(proxy.refused()).toBe(1);
    const source = await openSource(table);
    expect(await read(source, async () => {})).toBe(100);
    await source.close();
    await expect(openSource({ ...table, collection: 'sales.loading' })).rejects.toMatchObject({
      code: 'TB_SOURCE_NOT_FOUND',
    });
  });
});
