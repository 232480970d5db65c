/** What a data-access run does with warm programs, servers of users, wrong values, and reads that are cut off. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessExperiment, cellsOf } from './fixtures/access-files.ts';
import { allGone, canSeeProcesses, childrenOf, connectionsOf, killAll } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { type Running, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('run, over a table that a client reads', () => {
  const folder = temporaryFolder();
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const file = join(folder, 'experiment.yaml');
  const lines = `access: { rows: 1000 }
factors:
  source: [postgresql, parquet]
  variant: [native, connector-process, flight-process, columnar, columnar-process]
repetitions: 1`;
  writeFileSync(file, accessExperiment(lines));

  it('reads the same rows from programs that are kept warm, over compressed batches', async () => {
    const warm = join(folder, 'warm.yaml');
    writeFileSync(
      warm,
      accessExperiment(`access: { rows: 50000, source: parquet, warm: true }
factors:
  variant: [connector-process, flight-process, columnar-process]
  access.compression: [none, zstd]
repetitions: 1`),
    );
    const { code, stdout, stderr } = await topoBench(['run', warm, '--out', 'warm', '--json'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(5);
    for (const { access, validity } of cells) {
      expect(validity.reasons).toEqual([]);
      expect(access).toMatchObject({ rows: 50_000, wrong: 0, options: { warm: true } });
      // The start of a program takes longer.
      expect((access?.parts.start ?? 0) + (access?.parts.create ?? 0)).toBeLessThan(5000);
    }
    const bytes = (compression: string): number | undefined =>
      cells.find(({ access }) => access?.variant === 'columnar-process' && access.options.compression === compression)
        ?.access?.wireBytes['flight-server → client'];
    // 11 integers of 4 bytes and 12 decimals of 16 in each row.
    expect(bytes('none')).toBeGreaterThan(50_000 * 236);
    expect(bytes('zstd')).toBeLessThan(50_000 * 100);
  });

  it('reads no more than one row of the store where one is wanted, in every variant', async () => {
    const single = join(folder, 'single.yaml');
    const variants = 'native, connector-process, flight-process, columnar, columnar-process';
    writeFileSync(
      single,
      accessExperiment(`access: { rows: 20000, source: postgresql, query: one-row }
factors: { variant: [${variants}] }
repetitions: 1`),
    );
    const { code, stdout, stderr } = await topoBench(['run', single, '--out', 'single', '--json'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells).toHaveLength(5);
    for (const { access, validity } of cells) {
      expect(validity.reasons).toEqual([]);
      expect(access).toMatchObject({ rows: 1, wrong: 0 });
      // The client also reads answers of discover. Without a limit, a server sends 4.7 MB, and a connector fills its
      // pipe.
      const toClient = Object.entries(access?.wireBytes ?? {}).flatMap(([wire, bytes]) =>
        wire.endsWith('→ client') ? [bytes] : [],
      );
      const max = access?.variant.startsWith('connector') ? 64 * 1024 : 200_000;
      expect(Math.max(...toClient), access?.variant).toBeLessThan(max);
    }
  });

  it('uses the answer of discover from the warm-up with cachedDiscovery', async () => {
    const cached = join(folder, 'cached.yaml');
    writeFileSync(
      cached,
      accessExperiment(`access: { rows: 1000, source: parquet }
factors:
  variant: [connector-process, flight-process]
  access.cachedDiscovery: [false, true]
repetitions: 1`),
    );
    const { code, stdout, stderr } = await topoBench(['run', cached, '--out', 'cached', '--json'], { cwd: folder });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    const discoverUs = (variant: string, isCached: boolean): number => {
      const [access, ...others] = cells.flatMap(({ access }) =>
        access?.variant === variant && access.options.cachedDiscovery === isCached ? [access] : [],
      );
      expect(others).toEqual([]);
      expect(access).toMatchObject({ rows: 1000, wrong: 0 });
      return access?.parts.discover ?? Number.NaN;
    };
    // Without it, a program starts for the answer.
    for (const variant of ['connector-process', 'flight-process'])
      expect(discoverUs(variant, true) / discoverUs(variant, false)).toBeLessThan(0.5);
  });

  it('reads other rows for another seed', async () => {
    const seeds = join(folder, 'seeds.yaml');
    writeFileSync(
      seeds,
      accessExperiment(`access: { rows: 500, variant: native }
factors: { seed: [1, 2], source: [postgresql, parquet] }
repetitions: 1`),
    );
    const { stdout, stderr } = await topoBench(['run', seeds, '--out', 'seeds', '--json'], { cwd: folder });
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(
      cells.flatMap(({ validity }) => validity.reasons),
      stderr,
    ).toEqual([]);
    const checksums = (seed: number) =>
      new Set(cells.flatMap(({ factors, access }) => (factors.seed === seed ? [access?.checksum] : [])));
    expect([checksums(1).size, checksums(2).size]).toEqual([1, 1]);
    expect(checksums(1)).not.toEqual(checksums(2));
  });
});

describe('run, over a table in a user-supplied server', () => {
  const secret = 'tell-nobody';
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  let server: StoreServer;
  let admin: pg.Client;
  let url: string;
  beforeAll(async () => {
    server = await startServer({ engine: 'postgresql' });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE ROLE tester LOGIN SUPERUSER PASSWORD '${secret}'`);
    url = server.url.replace('postgres@', `tester:${secret}@`);
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  it('reads a user-supplied query, and writes its password nowhere', async () => {
    const query = 'SELECT 1::int4 AS a UNION ALL SELECT 2';
    writeFileSync(file, accessExperiment(`access: { own: { query: ${query} } }\nrepetitions: 1`));
    const args = ['run', file, '--out', 'own', '--postgres-url', url];
    const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
    expect(code, stderr).toBe(0);
    const [cell] = cellsOf(join(folder, 'own'));
    expect(cell?.access).toMatchObject({ rows: 2, wrong: 0, address: expect.any(String) });
    // The CPU time of such a server is not known, and so is not that of foreign programs.
    expect(cell?.resources.host).toBeDefined();
    expect(cell?.resources.host).not.toHaveProperty('foreignPercent');
    const texts = readdirSync(join(folder, 'own'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(texts.length).toBeGreaterThan(2);
    expect([stdout, stderr, ...texts].join()).not.toContain(secret);
  });

  it('marks a repetition with one wrong value as invalid, with the reason', async () => {
    writeFileSync(file, accessExperiment('access: { rows: 500 }\nrepetitions: 1'));
    const args = ['run', file, '--json', '--postgres-url', url];
    const right = await topoBench([...args, '--out', 'right'], { cwd: folder });
    expect(right.code, right.stderr).toBe(0);
    await admin.query(
      'UPDATE topo_bench_store_sales_500_1 SET ss_quantity = coalesce(ss_quantity, 0) + 1 WHERE ctid = (SELECT max(ctid) FROM topo_bench_store_sales_500_1)',
    );
    const { code, stdout } = await topoBench([...args, '--out', 'wrong'], { cwd: folder });
    const [cell] = JSON.parse(stdout).cells as [AnyEntry];
    expect(code).toBe(5);
    expect(cell.access).toMatchObject({ rows: 500, wrong: 1 });
    expect(cell.decisions.wrong).toBe(1);
    expect(cell.validity.reasons.join()).toMatch(/checksum \w+, expected \w+, as the generator made them/);
  });

  it('names a table that does not exist', async () => {
    writeFileSync(file, accessExperiment('access: { own: { table: nowhere } }\nrepetitions: 1'));
    const { code, stderr } = await topoBench(['run', file, '--out', 'none', '--postgres-url', url], { cwd: folder });
    expect(stderr).toContain('table nowhere does not exist');
    expect(code).toBe(2);
  });
});

describe.skipIf(!canSeeProcesses)('a read that is cut off', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  writeFileSync(file, accessExperiment('access: { rows: 300000 }\nrepetitions: 2'));

  /** Once the client reads. */
  async function duringRead(run: Running): Promise<{ client: number; guard: number; server: number[] }> {
    const client = () => childrenOf(run.pid).find(({ commandLine }) => commandLine.includes('access-client'))?.pid;
    for (let pid: number | undefined; !pid || connectionsOf(pid) < 1; pid = client()) await sleep(20);
    const guard = childrenOf(run.pid).find(({ commandLine }) => commandLine.includes('topo-bench-postgres'))?.pid;
    const [server] = childrenOf(guard as number).map(({ pid }) => pid);
    const backends = childrenOf(server as number).map(({ pid }) => pid);
    return { client: client() as number, guard: guard as number, server: [server as number, ...backends] };
  }

  it('by the death of the server is invalid, and the next repetition has a server again', async () => {
    const run = startTopoBench(['run', file, '--out', 'killed', '--json'], { cwd: folder });
    const { server } = await duringRead(run);
    killAll(server);
    const { code, stdout, stderr } = await run.ended;
    const [first, second] = JSON.parse(stdout).cells as AnyEntry[];
    expect(code, stderr).toBe(0);
    expect(first?.validity.valid).toBe(false);
    expect(first?.validity.reasons.join()).toMatch(/postgres was ended by SIGKILL/);
    expect(second?.validity).toMatchObject({ valid: true });
    expect(second?.access).toMatchObject({ rows: 300_000, wrong: 0 });
  });

  it('by Ctrl-C leaves no process behind, and exits with 130', async () => {
    const run = startTopoBench(['run', file, '--out', 'interrupted'], { cwd: folder });
    const { client, guard, server } = await duringRead(run);
    run.process.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(stderr).toContain('topo-bench run --resume interrupted');
    expect(code).toBe(130);
    await allGone([client, guard, ...server]);
  });
});
