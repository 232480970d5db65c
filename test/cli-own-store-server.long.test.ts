import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type MeasuredRun, measuredRun } from './fixtures/measured-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { type Ended, startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const secret = 'tell-nobody';
/** Where nothing listens. */
const nowhere = `postgresql://ann:${secret}@127.0.0.1:1/`;

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: kept
topology: kept.yaml
factors: { store: [sql-indexed], workload: [write-heavy], connections: [4] }
repetitions: 1
load: { driver: autocannon }
duration: 500ms
warmup: { requests: 20, change: 90%, window: 100ms, connections: 4, max: 5s }
`;
const topologyWith = (url: string): string => `apiVersion: topo-bench/v1
kind: Topology
name: kept
services: [{ name: items, persistence: { store: sql-indexed, rows: 300, url: '${url}' } }]
`;

let server: StoreServer;
let address: string;
beforeAll(async () => {
  server = await startServer({ engine: 'postgresql' });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE ROLE tester LOGIN SUPERUSER PASSWORD '${secret}'`);
  await admin.end();
  address = server.url.replace('postgres@', `tester:${secret}@`);
});
afterAll(() => server?.stop());

describe('a user-supplied database server', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  writeFileSync(file, experiment);
  writeFileSync(join(folder, 'kept.yaml'), topologyWith(nowhere));

  async function run(out: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const ended = await topoBench(['run', file, '--out', out, '--json', ...args], { cwd: folder, env });
    expect(tellingFiles(join(folder, out))).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    return ended;
  }

  const measure = (out: string, args: readonly string[], env: Record<string, string> = {}): Promise<MeasuredRun> =>
    measuredRun(run(out, args, env));

  /** Resumes from these repetitions alone. */
  function resume(out: string, kept: readonly unknown[], args: readonly string[]): Promise<MeasuredRun> {
    writeFileSync(join(folder, out, 'cells.json'), JSON.stringify(kept));
    return measuredRun(topoBench(['run', '--resume', out, ...args, '--json'], { cwd: folder }));
  }

  it('is that of the flag before that of the environment and that of the file, and no password is shown', async () => {
    const { cells } = await measure('flag', ['--postgres-url', address], { TOPO_BENCH_POSTGRES_URL: nowhere });
    const [cell] = cells;
    expect(cell.persistence?.server).toMatchObject({ origin: 'connection-string', source: '--postgres-url' });
    // What is not ours is not measured, and not stopped.
    expect(cell.resources.store).toBeUndefined();
  });

  it('is that of the environment before that of the file; a run continues with an address given again', async () => {
    const { cells } = await measure('variable', [], { TOPO_BENCH_POSTGRES_URL: address });
    expect(cells[0].persistence?.server.source).toBe('TOPO_BENCH_POSTGRES_URL');
    const again = await resume('variable', [], [`--postgres-url=${address}`]);
    expect(again.cells).toHaveLength(1);
    expect(again.stderr).toContain('[1/1]');
    expect(tellingFiles(join(folder, 'variable'))).toEqual([]);
  });

  it('is the one that the run continues with: another is refused, named, and accepted on request alone', async () => {
    const twice = ['--repetitions', '2'];
    const first = await measure('two', ['--postgres-url', address, ...twice]);
    expect(first.cells).toHaveLength(2);
    const cells = join(folder, 'two', 'cells.json');
    const [kept] = JSON.parse(readFileSync(cells, 'utf8')) as AnyEntry[];
    const host = new URL(address).host;
    expect(kept?.persistence?.server.address).toBe(host);
    writeFileSync(cells, JSON.stringify([kept]));

    const noFile = { TOPO_BENCH_POSTGRES_URL: nowhere };
    const other = await topoBench(['run', '--resume', 'two'], { cwd: folder, env: noFile });
    expect(other.stderr).toContain('error TB_RUN_FOLDER_OTHER_SERVER');
    expect(other.stderr).toContain(
      `at ${host} (named by --postgres-url), and would now be on the postgresql server at 127.0.0.1:1`,
    );
    expect(other.stderr).toMatch(/add --postgres-url .* or accept .* with --allow-other-servers/);
    expect(other.code).toBe(2);
    expect(JSON.parse(readFileSync(cells, 'utf8'))).toHaveLength(1);

    const others = await startServer({ engine: 'postgresql' });
    try {
      const mixed = await resume('two', [kept], ['--postgres-url', others.url, '--allow-other-servers']);
      expect(mixed.stderr).toMatch(/warning: figures of sql-indexed are from different servers: PostgreSQL/);
      const servers = mixed.cells.map(({ persistence }) => persistence?.server.address);
      expect(servers).toEqual([host, new URL(others.url).host]);
    } finally {
      await others.stop();
    }
    const fresh = await topoBench(['run', file, '--allow-other-servers'], { cwd: folder });
    expect(fresh.stderr).toContain('--allow-other-servers needs --resume');
    expect(fresh.code).toBe(2);
  });

  it('is that of the file, as written there and as a choice, without its password in what a run keeps', async () => {
    const path = 'topology.services.items.persistence.url';
    const { cells } = await measure('file', ['--set', `${path}=${address}`]);
    expect(cells[0].persistence?.server.source).toBe('the file');
    const { inputs } = JSON.parse(readFileSync(join(folder, 'file', 'run.json'), 'utf8'));
    expect(inputs.topology.text).toContain('postgresql://ann@127.0.0.1:1/');
  });

  it.each([
    ['does not answer', nowhere, 3, 'TB_STORE_UNREACHABLE'],
    ['is of another kind', `mysql://ann:${secret}@127.0.0.1/`, 2, 'TB_STORE_URL'],
    ['lacks its beginning', `ann:${secret}@127.0.0.1`, 2, 'TB_STORE_URL'],
    ['has a space', `postgresql://ann:${secret} x@127.0.0.1/`, 2, 'TB_STORE_URL'],
    ['has a slash', `postgresql://ann:x/${secret}@127.0.0.1/`, 3, 'TB_STORE_UNREACHABLE'],
  ])('that %s is reported without its password', async (_, url, exit, error) => {
    const { code, stderr } = await run('wrong', ['--postgres-url', url]);
    expect(stderr).toContain(error);
    expect(code).toBe(exit);
  });

  it('keeps what services of `up` keep', async () => {
    const up = startTopoBench(['up', 'kept.yaml', '--postgres-url', address, '--json'], {
      cwd: folder,
      env: { XDG_STATE_HOME: join(folder, 'state') },
    });
    await up.saw('\n', 'stdout');
    const { services, tokenFile } = JSON.parse(up.stdout()) as {
      services: { name: string; itemsUrl: string }[];
      tokenFile: string;
    };
    const items = services.find(({ name }) => name === 'items');
    const headers = { 'x-topo-token': readFileSync(tokenFile, 'utf8') };
    const response = await fetch(`${items?.itemsUrl}/stats`, { headers });
    expect(await response.json()).toMatchObject({ items: 300 });
    up.process.kill('SIGINT');
    const { code, stdout, stderr } = await up.ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(secret);
  });
});

/** Files of a run folder that hold the password. */
function tellingFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(secret));
}
