import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun, readSamples } from '@topo-bench/results';
import { describe, expect, it, vi } from 'vitest';
import { endedByHostAlone, measuredRun } from './fixtures/measured-run.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('run', () => {
  const folder = temporaryFolder();
  const { 'experiment.yaml': experiment } = writeSmallFiles(folder);

  it('adds repetitions to a finished run, and reports their number', async () => {
    const out = 'more';
    const { cells: before } = await measuredRun(
      topoBench(['run', experiment, '--out', out, '--json'], { cwd: folder }),
    );
    const planned = async (...args: string[]): Promise<{ estimatedSeconds: number; openRepetitions?: number }> => {
      const { stdout } = await topoBench(['run', ...args, '--dry-run', '--no-probe', '--json'], { cwd: folder });
      return JSON.parse(stdout);
    };
    // Two cells, each with one repetition so far.
    const left = await planned('--resume', out, '--repetitions', '30');
    const all = await planned(experiment, '--repetitions', '30');
    expect([left.openRepetitions, all.openRepetitions]).toEqual([58, undefined]);
    expect(left.estimatedSeconds / all.estimatedSeconds).toBeCloseTo(29 / 30, 1);
    expect((await planned('--resume', out)).estimatedSeconds).toBe(0);
    const { stdout: text } = await topoBench(
      ['run', '--resume', out, '--repetitions', '3', '--dry-run', '--no-probe'],
      { cwd: folder },
    );
    expect(text).toContain('4 left of 2 cells × 3 repetitions: about');
    const { code, stdout, stderr } = await topoBench(['run', '--resume', out, '--repetitions', '3', '--json'], {
      cwd: folder,
    });
    const { cells: after } = JSON.parse(stdout) as { cells: Cell[] };
    endedByHostAlone({ code, stderr }, after);
    expect(after.map(({ repetition }) => repetition).sort()).toEqual([1, 1, 2, 2, 3, 3]);
    expect(after.filter(({ repetition }) => repetition === 1)).toEqual(before);
    const { record } = await openRun(join(folder, out));
    expect([record.repetitions, record.extendedFrom, record.status]).toEqual([3, [1], 'finished']);
    const fewer = await topoBench(['run', '--resume', out, '--repetitions', '2'], { cwd: folder });
    expect([fewer.code, fewer.stderr]).toEqual([2, expect.stringContaining('got 2, expected more than the 3')]);
  });

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

  it('exits 5 when a cell has no valid repetition', async () => {
    // Nothing listens that fast: a deadline of a microsecond makes every request an error.
    const args = [
      'run',
      experiment,
      '--only',
      'architecture=sidecar',
      '--set',
      'topology.deadlines.hop=1us',
      '--out',
      'late',
      '--json',
    ];
    const { code, stdout, stderr } = await topoBench(args, { cwd: folder });
    const [cell] = JSON.parse(stdout).cells as Cell[];
    expect(code).toBe(5);
    expect(stderr).toContain(
      'TB_EXPERIMENT_NO_VALID_REPETITION: one cell has no valid repetition: sidecar · 2 services',
    );
    expect(cell?.outcomes.error).toBeGreaterThan(0);
    expect(Object.keys(cell?.errors ?? {})[0]).toMatch(/^deadline:/);
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
    const args = ['run', experiment, '--dry-run', '--only', 'architecture=central-entity'];
    const low = await topoBench([...args, '--set', 'rate=2'], { cwd: folder });
    expect([low.code, low.stdout]).toEqual([0, expect.stringMatching(/a repetition, [\d.]+% of the cores$/m)]);
    expect(low.stderr).not.toContain('warning');
    const own = temporaryFolder();
    const env = { ...process.env, TMPDIR: own };
    const { code, stdout, stderr } = await topoBench([...args, '--set', 'rate=50000', '--json'], { cwd: folder, env });
    expect(code).toBe(0);
    const [cell] = JSON.parse(stdout).cells;
    expect(cell.hostPercent).toBeGreaterThan(100);
    expect(cell.overload).toMatch(/^needs about \d+% of the \d+ cores of this machine$/);
    expect(cell.busiestEventLoop.role).toMatch(/gateway|central-entity/);
    expect(stderr).toContain('probing for five seconds');
    expect(stderr).toContain(`warning: central-entity · 2 services · 50000 req/s ${cell.overload}\n`);
    expect(stderr).toMatch(
      /^hint: its queue would grow as long as the load lasts\. .* leave levels out with --only\.$/m,
    );
    expect(readdirSync(own)).toEqual([]);
  });

  it('--dry-run --no-probe prints cells, time and memory and starts nothing', async () => {
    const { code, stdout } = await topoBench(['run', experiment, '--dry-run', '--no-probe', '--out', 'dry'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/sidecar · 2 services · 40 req\/s: 5 processes, about \d+ s a repetition/);
    expect(stdout).toMatch(/2 cells × 1 repetitions: about \d+ s, at most \d+ s/);
    expect(readdirSync(folder)).not.toContain('dry');
  });

  it.each([
    [['--out', 'whole'], 'TB_RUN_FOLDER_EXISTS', 2],
    [['--out', '/proc/topo-bench'], 'TB_RUN_FOLDER_NOT_WRITABLE', 3],
    [['--only', 'architecture=sidecars'], 'TB_EXPERIMENT_UNKNOWN_LEVEL', 2],
    [['--set', 'rate=0'], 'TB_SCHEMA_INVALID', 2],
    [['--set', 'rate=1000000000'], 'TB_SCHEMA_INVALID', 2],
    [['--set', 'topology.deadline=1s'], 'TB_OVERRIDE_UNKNOWN_FIELD', 2],
  ])('refuses %j with %s', async (args, code, exit) => {
    const ended = await topoBench(['run', experiment, ...args], { cwd: folder });
    expect(ended.stderr).toContain(`error ${code}: `);
    expect(ended.code).toBe(exit);
  });

  it('refuses to continue with other choices, and a folder that is no run', async () => {
    const changed = await topoBench(['run', '--resume', 'one', '--set', 'rate=5'], { cwd: folder });
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining('--resume cannot change the run: got rate'),
    ]);
    const none = await topoBench(['run', '--resume', '.'], { cwd: folder });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('TB_RUN_FOLDER_NOT_FOUND')]);
  });

  it('reports every problem of a broken file before anything is started', async () => {
    writeFileSync(
      join(folder, 'broken.yaml'),
      'apiVersion: topo-bench/v1\nkind: Experiment\nname: b\ntopology: topology.yaml\nduration: 10\nrepetition: 2\n',
    );
    const { code, stderr } = await topoBench(['run', 'broken.yaml'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/broken\.yaml:5:11: error TB_UNIT_INVALID/);
    expect(stderr).toMatch(/broken\.yaml:6:1: error TB_SCHEMA_UNKNOWN_KEY/);
  });

  it('is reported as page, Markdown, CSV and JSON', async () => {
    const of = async (...args: string[]) => (await topoBench(['report', 'whole', ...args], { cwd: folder })).stdout;
    expect(await of()).toBe('whole/report.html\n');
    expect(await of('--format', 'md')).toContain('| architecture |');
    expect(await of('--format', 'csv')).toMatch(/^architecture,/);
    expect(await of('--format', 'csv', '--rows', 'repetitions')).toContain('repetition');
    expect(JSON.parse(await of('--json')).runs[0].cells).toHaveLength(2);
    expect(await of('--format', 'html', '--out', 'page.html')).toBe('page.html\n');
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('<html');
  });
});
