/** `report` over a folder of runs, as users call it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { syntheticRun } from '../packages/report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

describe('a folder of runs', () => {
  const folder = temporaryFolder();
  const report = (...args: string[]) => callTopoBench(['report', ...args], { cwd: folder });

  beforeAll(async () => {
    const one = { architectures: ['none', 'sidecar'], services: [5], rates: [100], requests: 30 };
    await syntheticRun(join(folder, 'runs/first'), { ...one, seed: 1 });
    await syntheticRun(join(folder, 'runs/second'), { ...one, name: 'other' });
    mkdirSync(join(folder, 'empty'));
  });

  it('becomes a page in it, a table, and data', async () => {
    expect(await report('runs')).toMatchObject({ code: 0, stdout: 'runs/index.html\n' });
    expect(readFileSync(join(folder, 'runs/index.html'), 'utf8')).toContain('Runs over time');
    const table = await report('runs', '--format', 'table');
    expect(table.stdout).toMatch(/2025-01-31 09:30 UTC {2}synthetic/);
    const { runs, series } = JSON.parse((await report('runs', '--json')).stdout);
    expect(runs.map(({ runDir }: { runDir: string }) => runDir)).toEqual(['runs/first', 'runs/second']);
    expect(series).toHaveLength(4);
  });

  it('of named runs needs --list, and a page of them --out', async () => {
    expect(await report('--list', 'runs/first', 'runs/second')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name a file: --out runs.html'),
    });
    const named = await report('--list', 'runs/first', 'runs/second', '--out', 'list.html');
    expect(named).toMatchObject({ code: 0, stdout: 'list.html\n' });
    expect(readFileSync(join(folder, 'list.html'), 'utf8')).toContain('topo-bench runs');
  });

  it('is refused with the problem and the way out', async () => {
    const [csv, published, empty, missing] = await Promise.all([
      report('runs', '--format', 'csv'),
      report('--list', 'runs/first', '--published', 'published.csv', '--format', 'table'),
      report('--list', 'empty'),
      report('nowhere'),
    ]);
    expect([csv.code, published.code, empty.code, missing.code]).toEqual([2, 2, 2, 2]);
    expect([published.stdout, published.stderr]).toEqual([
      '',
      expect.stringContaining('--published: got a list of runs, expected single runs'),
    ]);
    expect(published.stderr).toContain('name run folders, without --list');
    expect(csv.stderr).toContain('--format csv: got a list of runs, expected one of html, table, json');
    expect(empty.stderr).toContain('empty is no run folder, and no folder in it is one');
    expect(missing.stderr).toContain('no such file or folder');
  });
});
