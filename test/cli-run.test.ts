import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from '@topo-bench/results';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { endedByHostAlone, measuredRun } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { smallExperiment, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('run', () => {
  const folder = temporaryFolder();
  const { 'experiment.yaml': experiment } = writeSmallFiles(folder);

  it('deploys, measures, checks and stores every cell, and prints one document', async () => {
    const out = join(folder, 'whole');
    const { stdout, stderr, cells } = await measuredRun(
      topoBench(['run', experiment, '--out', out, '--keep-requests', '--trace-hops', '50%', '--json'], { cwd: folder }),
    );
    const { runDir } = JSON.parse(stdout) as { runDir: string };
    expect(stderr).toMatch(/\[2\/2\] (central-entity|sidecar) · 2 services · 40 req\/s #1: RTT median/);
    expect(runDir).toBe(out);
    expect(cells.map(({ factors }) => factors.architecture).toSorted()).toEqual(['central-entity', 'sidecar']);
    for (const cell of cells) {
      const { outcomes, decisions, hops, factors } = cell;
      expect(decisions.wrong).toBe(0);
      expect(decisions.allow + decisions.deny).toBe(2 * (outcomes.completed + outcomes.refused));
      expect(decisions.byRule).toEqual({ 'eu-data-stays': outcomes.refused });
      expect(hops.perRequest).toBe(factors.architecture === 'sidecar' ? 5 : 4);
      expect(cell.rtt.count).toBe(outcomes.completed);
      expect(cell.cpuUsPerRequest.total).toBeGreaterThan(0);
      expect(Object.keys(cell.resources)).toEqual(expect.arrayContaining(['gateway', 'service', 'generator']));
      const samples = await readSamples(join(out, cell.samples as string));
      expect(samples).toHaveLength(Object.values(outcomes).reduce((sum, count) => sum + count));
    }
    // The sidecar has the data in the US before it refuses; the central entity stands in the EU.
    const exposed = (architecture: string) =>
      cells.find(({ factors }) => factors.architecture === architecture)?.exposureBytes.personal ?? 0;
    expect(exposed('sidecar')).toBeGreaterThan(0);
    expect(exposed('central-entity')).toBe(0);
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['cells.json', 'logs', 'report.html', 'requests.ndjson', 'run.json', 'samples', 'spans']),
    );
    // Both architectures were sent the same requests.
    const lines = readFileSync(join(out, 'requests.ndjson'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(
      Math.max(...cells.map(({ outcomes }) => Object.values(outcomes).reduce((sum, count) => sum + count))),
    );
  });

  it('measures the chosen levels, with the table and the places of its results at the end', async () => {
    const args = [
      'run',
      experiment,
      '--only',
      'architecture=sidecar',
      '--set',
      'rate=30',
      '--set',
      'duration=500ms',
      '--out',
      'one',
    ];
    const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
    const { cells } = await openRun(join(folder, 'one'));
    endedByHostAlone({ code, stderr }, cells);
    expect(cells).toHaveLength(1);
    expect(cells[0]).toMatchObject({ factors: { architecture: 'sidecar' }, offeredRps: 30, decisions: { wrong: 0 } });
    expect(stderr).toContain('[1/1] sidecar · 2 services · 30 req/s #1');
    expect(stdout).toContain('run folder: one\n');
    expect(stdout).toContain('report:     one/report.html\n');
    expect(stdout).toMatch(/^Round-trip time in ms/m);
  });

  it('drives the closed model too', async () => {
    const sets = ['load.driver=autocannon', 'load.connections=2'].flatMap((set) => ['--set', set]);
    const { cells } = await measuredRun(
      topoBench(['run', experiment, '--only', 'architecture=sidecar', ...sets, '--out', 'closed', '--json'], {
        cwd: folder,
      }),
    );
    const [cell] = cells;
    expect(cell?.factors).toEqual({ architecture: 'sidecar', services: 2, 'load.connections': 2 });
    expect(cell?.outcomes.completed).toBeGreaterThan(0);
    expect(cell?.decisions.wrong).toBe(0);
  });

  it('--dry-run warns, after a probe, of cells that this machine cannot bear', async () => {
    const own = temporaryFolder();
    const file = join(folder, 'rates.yaml');
    writeFileSync(file, smallExperiment.replace('[central-entity, sidecar]', '[central-entity]\n  rate: [2, 50000]'));
    const env = { ...process.env, TMPDIR: own };
    const { code, stdout, stderr } = await topoBench(['run', file, '--dry-run', '--json'], { cwd: folder, env });
    expect(code, stderr).toBe(0);
    const [low, high] = JSON.parse(stdout).cells;
    expect(low.hostPercent).toBeLessThan(100);
    expect(low.overload).toBeUndefined();
    expect(high.hostPercent).toBeGreaterThan(100);
    expect(high.overload).toMatch(
      /^needs about \d+ cores, and this machine has \d+; one process of .* no machine can do it$/,
    );
    expect(high.busiestEventLoop.role).toMatch(/gateway|central-entity/);
    expect(stderr).toContain('probing for five seconds');
    expect(stderr.match(/^warning: .*$/gm)).toEqual([
      `warning: central-entity · 2 services · 50000 req/s ${high.overload}`,
    ]);
    expect(stderr).toMatch(
      /^hint: its queue would grow as long as the load lasts\. .* leave levels out with --only\.$/m,
    );
    expect(readdirSync(own)).toEqual([]);
  });

  it('--dry-run --no-probe prints cells, time and memory and starts nothing', async () => {
    const { code, stdout } = await callTopoBench(['run', experiment, '--dry-run', '--no-probe', '--out', 'dry'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/sidecar · 2 services · 40 req\/s: 5 processes, about \d+ s a repetition/);
    expect(stdout).toMatch(/2 cells × 1 repetition: about \d+ s, at most \d+ s/);
    expect(readdirSync(folder)).not.toContain('dry');
  });

  it.each([
    [['--out', 'whole'], 'TB_RUN_FOLDER_EXISTS', 2],
    [['--out', '/proc/topo-bench'], 'TB_RUN_FOLDER_NOT_WRITABLE', 3],
  ])('refuses %j with %s', async (args, code, exit) => {
    const ended = await callTopoBench(['run', experiment, ...args], { cwd: folder });
    expect(ended.stderr).toContain(`error ${code}: `);
    expect(ended.code).toBe(exit);
  });

  it('refuses to continue with other choices, and a folder that is no run', async () => {
    const changed = await callTopoBench(['run', '--resume', 'one', '--set', 'rate=5'], { cwd: folder });
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining('--resume cannot change the run: got rate'),
    ]);
    const none = await callTopoBench(['run', '--resume', '.'], { cwd: folder });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('TB_RUN_FOLDER_NOT_FOUND')]);
  });

  it('is reported as page, Markdown, CSV and JSON', async () => {
    const of = async (...args: string[]) => (await callTopoBench(['report', 'whole', ...args], { cwd: folder })).stdout;
    expect(await of()).toBe('whole/report.html\n');
    expect(await of('--format', 'md')).toContain('| architecture |');
    expect(await of('--format', 'csv')).toMatch(/^architecture,/);
    expect(await of('--format', 'csv', '--rows', 'repetitions')).toContain('repetition');
    expect(JSON.parse(await of('--json')).runs[0].cells).toHaveLength(2);
    expect(await of('--format', 'html', '--out', 'page.html')).toBe('page.html\n');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('<html');
  });
});
