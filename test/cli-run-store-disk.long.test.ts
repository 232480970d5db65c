/** A full disk of a database server ends a run of a store study or a stream study, and the run resumes with space. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SmallDisk, smallDisk } from './fixtures/small-disk.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
const MiB = 1024 ** 2;

const topologyOf = (store: string): string => `apiVersion: topo-bench/v1
kind: Topology
name: kept
services: [{ name: items, persistence: { store: ${store}, rows: 300 } }]
`;
const experimentOf = (name: string, lines: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: ${name}
repetitions: 1
# It places the first level first.
seed: 2
validity: { maxErrorShare: 50%, remeasure: 0% }
${lines}`;
const closedLoad = `load: { driver: autocannon, connections: 4 }
duration: 1s
drain: 20s
warmup: { requests: 20, change: 90%, window: 100ms, connections: 4, max: 5s }
`;

/** Below a folder that every user may enter: servers run as another one. */
function diskOf(options: string): SmallDisk | string {
  const place = mkdtempSync(join(tmpdir(), 'topo-bench-small-disk-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  chmodSync(place, 0o755);
  const disk = smallDisk(join(place, 'disk'), options);
  if (typeof disk !== 'string') onTestFinished(disk.unmount);
  return disk;
}

/** Its data is on this disk. */
async function serverOn(disk: SmallDisk, engine: 'postgresql' | 'mysql'): Promise<StoreServer> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk.folder;
  try {
    return await startServer({ engine });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** A server whose tables alone are on a small disk: its log of transactions has space. */
async function serverWithTablesOn(size: string): Promise<{ url: string; disk: SmallDisk } | string> {
  const server = await startServer({ engine: 'postgresql' });
  onTestFinished(() => server.stop());
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  try {
    const { rows } = await owner.query('SHOW data_directory');
    const disk = diskOf(`size=${size},mode=700,uid=${statSync(rows[0].data_directory).uid}`);
    if (typeof disk === 'string') return disk;
    await owner.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
    await owner.query('ALTER ROLE postgres SET default_tablespace = small');
    return { url: server.url, disk };
  } finally {
    await owner.end();
  }
}

const cellsOf = (out: string): AnyEntry[] =>
  JSON.parse(readFileSync(join(folder, out, 'cells.json'), 'utf8')) as AnyEntry[];

/** Ends on the full disk with one repetition measured, then resumes with space. @returns the error of the first part */
async function endsAndResumes(file: string, out: string, flags: readonly string[], makeSpace: () => void) {
  const ended = await topoBench(['run', file, '--out', out, ...flags], { cwd: folder });
  expect(ended.code, ended.stderr).toBe(3);
  expect(ended.stderr).toContain('error TB_STORE_DISK_FULL: ');
  expect(ended.stderr).toContain(`finished repetitions are kept; continue with: topo-bench run --resume ${out}`);
  const [first, ...others] = cellsOf(out);
  expect(others, ended.stderr).toEqual([]);
  expect(first?.validity.reasons.join()).not.toContain('not measured');
  makeSpace();
  const resumed = await topoBench(['run', '--resume', out, ...flags], { cwd: folder });
  const cells = cellsOf(out);
  expect(cells, resumed.stderr).toHaveLength(2);
  expect(cells[0]).toEqual(first);
  expect(cells[1]?.validity.reasons.join()).not.toContain('not measured');
  return { error: ended.stderr, cells };
}

describe('a full disk ends a run', () => {
  it('of a store study whose rows PostgreSQL cannot keep', async ({ skip }) => {
    const server = await serverWithTablesOn('4m');
    if (typeof server === 'string') return skip(server);
    writeFileSync(join(folder, 'kept.yaml'), topologyOf('sql-indexed'));
    const lines = `topology: kept.yaml\nfactors: { services.items.persistence.rows: [300, 20000] }\npersistence: { workload: read-heavy }\n`;
    writeFileSync(join(folder, 'rows.yaml'), experimentOf('rows', lines + closedLoad));
    const flags = ['--postgres-url', server.url];
    const { error, cells } = await endsAndResumes('rows.yaml', 'rows', flags, () => server.disk.leave(400 * MiB));
    expect(error).toMatch(
      /cannot prepare 20000 rows for sql-indexed: the disk of the store is full \(could not extend/,
    );
    expect(error).toContain('free space on the disk of the database server');
    expect(error).not.toContain('TMPDIR');
    expect(cells.map(({ persistence }) => persistence?.rows)).toEqual([300, 20_000]);
  });

  it('of a store study whose writes MariaDB cannot keep', async ({ skip }) => {
    const disk = diskOf('size=800m,mode=755');
    if (typeof disk === 'string') return skip(disk);
    const server = await serverOn(disk, 'mysql');
    onTestFinished(() => server.stop());
    disk.leave(4 * MiB);
    writeFileSync(join(folder, 'kept-mysql.yaml'), topologyOf('sql-indexed, engine: mysql'));
    const lines = `topology: kept-mysql.yaml
factors: { persistence.workload: [read-heavy, write-heavy] }
persistence: { reads: { read-heavy: 100%, write-heavy: 0% }, creates: 100%, documentSize: 15KiB }
`;
    writeFileSync(
      join(folder, 'writes.yaml'),
      experimentOf('writes', lines + closedLoad.replace('connections: 4', 'connections: 16').replace('1s', '6s')),
    );
    const flags = ['--mariadb-url', server.url];
    const { error } = await endsAndResumes('writes.yaml', 'writes', flags, () => disk.leave(1024 * MiB));
    expect(error).toMatch(/the disk of the store is full: items failed to answer \d+ of \d+ requests/);
    expect(error).not.toContain('TMPDIR');
  });

  it('of a stream study whose heat map PostgreSQL cannot keep', async ({ skip }) => {
    const server = await serverWithTablesOn('12m');
    if (typeof server === 'string') return skip(server);
    const lines = `stream: { database: postgresql, trials: 1, trialFor: 100ms, latencyFor: 100ms }
factors: { stream.points: [1000, 400000] }
`;
    writeFileSync(join(folder, 'stream.yaml'), experimentOf('stream', lines));
    const flags = ['--postgres-url', server.url];
    const { error, cells } = await endsAndResumes('stream.yaml', 'stream', flags, () => server.disk.leave(400 * MiB));
    expect(error).toMatch(/the disk of the store is full \(could not extend file/);
    expect(cells.map(({ stream }) => stream?.fullSpeed.points)).toEqual([1000, 400_000]);
  });

  it('whose server topo-bench started, and names the folder that it needs', async ({ skip }) => {
    const disk = diskOf('size=800m,mode=755');
    if (typeof disk === 'string') return skip(disk);
    const server = await serverOn(disk, 'postgresql');
    const used = disk.usedBytes();
    await server.stop();
    // For a server, copies of two databases, and a few files of its log.
    disk.leave(used + 64 * MiB);
    writeFileSync(join(folder, 'kept.yaml'), topologyOf('sql-indexed'));
    const lines = `topology: kept.yaml\nfactors: { services.items.persistence.rows: [300, 200000] }\npersistence: { workload: read-heavy }\n`;
    writeFileSync(join(folder, 'own.yaml'), experimentOf('own', lines + closedLoad));
    const { code, stderr } = await topoBench(['run', 'own.yaml', '--out', 'own'], {
      cwd: folder,
      env: { TMPDIR: disk.folder },
    });
    expect(stderr).toContain('error TB_STORE_DISK_FULL: ');
    expect(stderr).toContain('name a larger folder for temporary files with TMPDIR');
    expect(code).toBe(3);
    expect(cellsOf('own').map(({ persistence }) => persistence?.rows)).toEqual([300]);
  });
});
