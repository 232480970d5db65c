import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const experiment = (lines: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: streams
${lines}
validity: { remeasure: 0% }
`;
const settings = 'points: 20000, rate: 20000, latencyFor: 300ms, trialFor: 200ms';

describe('run, over a stream job on PostgreSQL', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'experiment.yaml');
  let server: StoreServer;

  beforeAll(async () => {
    server = await startServer({ engine: 'postgresql' });
  });
  afterAll(() => server?.stop());

  const environment = () => ({ TOPO_BENCH_POSTGRES_URL: server.url });
  const heatMaps = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname LIKE 'topo_bench_heat_map_stream_%'",
      );
      return rows.map(({ datname }) => datname);
    } finally {
      await client.end();
    }
  };

  it('measures with and without windows, finds every heat map right, and removes them', async () => {
    writeFileSync(
      file,
      experiment(`stream: { ${settings}, trials: 2 }\nfactors: { windows: [none, 1s] }\nrepetitions: 1`),
    );
    const { code, stdout, stderr } = await topoBench(['run', file, '--out', 'run', '--json'], {
      cwd: folder,
      env: environment(),
    });
    expect(code, stderr).toBe(0);
    const cells = JSON.parse(stdout).cells as AnyEntry[];
    expect(cells.map(({ factors }) => factors.windows).sort()).toEqual(['1 s', 'none']);
    for (const { stream, validity, decisions, factors, responseTime } of cells) {
      expect(validity.reasons).toEqual([]);
      expect(decisions.wrong).toBe(0);
      expect(stream?.checked).toMatchObject({ heatMaps: 4, wrong: 0, lost: 0, duplicated: 0 });
      expect(stream?.database).toMatch(/^PostgreSQL \d/);
      expect(stream?.fullSpeed.pointsPerSecond).toBeCloseTo(20_000e6 / (stream?.fullSpeed.durationUs ?? 0), 6);
      expect(stream?.trials).toHaveLength(2);
      expect(stream?.paced).toMatchObject({ points: 6000, ratePerSecond: 20_000 });
      // Not before the last of the 6000 points was due.
      expect(stream?.paced.durationUs).toBeGreaterThan(299_000);
      expect(responseTime).toEqual(stream?.paced.endToEnd);
      expect(stream?.storageBytes).toBeGreaterThan(100_000);
      if (factors.windows === 'none') expect(stream?.checked.late).toBe(0);
      else expect(stream?.checked.late).toBeGreaterThan(0);
    }
    expect(await heatMaps()).toEqual([]);
    expect(existsSync(join(folder, 'run', 'report.html'))).toBe(true);
    const report = await callTopoBench(['report', 'run', '--format', 'md'], { cwd: folder });
    expect(report.stdout).toContain('All 8 heat maps are right: no crossing was lost or duplicated');
  });

  it('finds a row that the job did not write', async () => {
    writeFileSync(file, experiment(`stream: { ${settings}, trials: 0 }\nrepetitions: 1`));
    const run = startTopoBench(['run', file, '--out', 'wrong', '--json'], { cwd: folder, env: environment() });
    const added = addRow(async () => (await heatMaps()).find((name) => name.endsWith('_1')), server.url);
    const { code } = await run.ended;
    await added;
    expect(code).toBe(5);
    const [cell] = JSON.parse(readFileSync(join(folder, 'wrong', 'cells.json'), 'utf8')) as [AnyEntry];
    expect(cell.stream?.checked).toMatchObject({ wrong: 1, duplicated: 3, lost: 0 });
    expect(cell.validity.reasons).toEqual(['wrong: cell 1: got 3 crossings until 7 ms, expected none']);
    expect(await heatMaps()).toEqual([]);
  });

  it('names a server that does not answer, and the way out', async () => {
    writeFileSync(file, experiment("stream: { url: 'postgresql://nobody@127.0.0.1:1/none' }\nrepetitions: 1"));
    const { code, stderr } = await callTopoBench(['run', file, '--out', 'none'], { cwd: folder });
    expect(code).toBe(3);
    expect(stderr).toContain('TB_STORE_UNREACHABLE');
    expect(stderr).toContain('postgresql: ');
  });
});

/** Adds a row to the heat map as soon as it has its tables. */
async function addRow(find: () => Promise<string | undefined>, url: string): Promise<void> {
  for (;;) {
    const name = await find();
    if (name !== undefined) {
      const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: `/${name}` }).href });
      try {
        await client.connect();
        await client.query('INSERT INTO heat_map VALUES (1, 3, 7)');
        return;
      } catch {
        // Its tables do not exist yet.
      } finally {
        await client.end().catch(() => {});
      }
    }
    await sleep(2);
  }
}
