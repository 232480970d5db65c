import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun } from '@topo-bench/results';
import { describe, expect, it, vi } from 'vitest';
import { computingServer, shopExperiment, shopTopology } from './fixtures/computing-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { allGone, canSeeProcesses, childrenOf, isAlive } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 360_000 });

const github = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' };

describe('gate --experiment', () => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(path(name), text);
  const gate = (args: readonly string[], env: Record<string, string> = {}) =>
    topoBench(['gate', '--experiment', 'experiment.yaml', ...args], { cwd: folder, env: { ...github, ...env } });
  write('experiment.yaml', shopExperiment);
  write('topology.yaml', shopTopology('{ name: pricing, command: "node server.cjs 40" }'));
  write('server.cjs', computingServer);

  it('neither passes nor fails by one pair of two states of the files, begins no pair that would end after --max-time, and keeps both runs', async () => {
    const other = temporaryFolder();
    mkdirSync(join(other, 'base'));
    for (const place of [other, join(other, 'base')]) {
      writeSmallFiles(place, (name, text) => {
        if (name === 'experiment.yaml')
          return text.replace('[central-entity, sidecar]', '[central-entity]').replace('rate: 40', 'rate: 20');
        return text;
      });
    }
    const refs = ['--baseline-ref', 'base', '--candidate-ref', '.', '--max-time', '1s'];
    const thresholds = ['--threshold', 'rtt.median < +400%', '--threshold', 'rtt.median < 30s'];
    const args = ['gate', '--experiment', 'experiment.yaml', ...refs, ...thresholds, '--out', 'gate', '--json'];
    const { code, stdout, stderr } = await topoBench(args, { cwd: other, env: github });
    const [baseline, candidate] = [
      await openRun(join(other, 'gate/baseline')),
      await openRun(join(other, 'gate/candidate')),
    ];
    onlyHostReasons([...baseline.cells, ...candidate.cells], stderr);
    // One pair shows no change, whatever it measures; the bound is judged by the candidate alone.
    expect(code, stderr).toBe(5);
    if ([baseline, candidate].every(({ cells }) => cells[0]?.validity.valid)) {
      const verdicts = (JSON.parse(stdout).thresholds as { verdict: string }[]).map(({ verdict }) => verdict);
      expect(verdicts).toEqual(['cannot tell', 'passed']);
    }
    expect([baseline.cells.length, candidate.cells.length]).toEqual([1, 1]);
    expect(baseline.cells[0]?.factors).toEqual(candidate.cells[0]?.factors);
    expect(baseline.cells[0]?.decisions).toMatchObject({ wrong: 0, byRule: candidate.cells[0]?.decisions.byRule });
    const inputOf = ({ record }: typeof baseline) => (record.inputs as { topology: { file: string } }).topology.file;
    expect([inputOf(baseline), inputOf(candidate)]).toEqual(['base/topology.yaml', 'topology.yaml']);
  });

  it('writes every output also when its service never starts', async () => {
    const refs = ['--baseline-ref', 'node server.cjs 1', '--candidate-ref', 'node missing.cjs'];
    const outputs = ['--junit', 'broken.xml', '--markdown', 'broken.md'];
    const args = [...refs, ...outputs, '--threshold', 'rtt.median < +5%', '--out', 'broken'];
    const { code, stderr } = await gate(args);
    expect(code).not.toBe(0);
    const [, message] = /^error TB_\w+: (.*)$/m.exec(stderr) ?? [];
    expect(message).toMatch(/pricing/);
    const xml = readFileSync(path('broken.xml'), 'utf8');
    expect(xml).toContain('failures="0" errors="1"');
    expect(xml).toContain('name="rtt.median &lt; +5%"');
    expect(xml).toContain('pricing');
    expect(readFileSync(path('broken.md'), 'utf8')).toMatch(/❔ cannot tell.*\n(.*\n)*.*pricing/);
  });

  it.skipIf(!canSeeProcesses)(
    'on Ctrl-C tears both sides down, and prints the place of the finished pairs',
    async () => {
      const refs = [
        '--baseline-ref',
        '.',
        '--candidate-ref',
        '.',
        '--threshold',
        'rtt.median < +5%',
        '--out',
        'stopped',
      ];
      const running = startTopoBench(['gate', '--experiment', 'experiment.yaml', ...refs], {
        cwd: folder,
        env: github,
      });
      await running.saw('#1 sidecar');
      await vi.waitFor(() => expect(childrenOf(running.pid).length).toBeGreaterThan(2), {
        timeout: 30_000,
        interval: 20,
      });
      const children = childrenOf(running.pid).map(({ pid }) => pid);
      running.process.kill('SIGINT');
      const { code, stderr } = await running.ended;
      expect([code, stderr]).toEqual([130, expect.stringContaining('TB_INTERRUPTED')]);
      await allGone(children);
      const services = ['baseline', 'candidate'].flatMap((side) =>
        [...readFileSync(path(`stopped/${side}/logs/pricing.log`), 'utf8').matchAll(/pid (\d+)/g)].map(([, pid]) =>
          Number(pid),
        ),
      );
      await vi.waitFor(() => expect(services.filter(isAlive)).toEqual([]), { timeout: 20_000 });
      const run = await openRun(path('stopped/candidate'));
      expect([run.record.status, run.cells.length > 0]).toEqual(['interrupted', true]);
      expect(stderr).toContain('report: stopped/report.html');
      // Figures of a side are those of valid repetitions; a busy machine may leave none.
      if (run.cells.some(({ validity }) => validity.valid))
        expect(readFileSync(path('stopped/report.html'), 'utf8')).toContain('stopped/candidate');
      const resumed = await topoBench(['run', '--resume', 'stopped/candidate'], { cwd: folder });
      expect([resumed.code, resumed.stderr]).toEqual([
        2,
        expect.stringContaining('it is one side of a side-by-side gate'),
      ]);
    },
  );

  it.each([
    [[], 2, 'TB_USAGE', '--experiment needs --candidate-ref or --candidate-set'],
    [['--candidate-ref', '.'], 6, 'TB_GATE_NO_BASELINE', '--baseline-ref'],
    [['--candidate-ref', '.', '--baseline-ref', '../nowhere'], 2, 'TB_GATE_REF', 'git worktree add'],
    [['--candidate-ref', '.', '--baseline-ref', 'missing.yaml'], 2, 'TB_GATE_REF', '"missing.yaml"'],
    [
      ['--candidate-ref', '.', '--baseline-ref', '.', '--candidate', 'runs/x'],
      2,
      'TB_USAGE',
      '--candidate cannot be combined with --experiment',
    ],
    [['--candidate-ref', '.', '--baseline-ref', '.', '--candidate-set', 'rate=5'], 2, 'TB_USAGE', '--set rate='],
    [['--candidate-set', 'architecure=none'], 2, 'TB_OVERRIDE_UNKNOWN_FIELD', 'architecure'],
    [
      ['--candidate-ref', '.', '--baseline-ref', '.', '--threshold', 'rtt.medain < +5%'],
      2,
      'TB_METRIC_UNKNOWN',
      '"rtt.median"',
    ],
    [['--candidate-ref', '.', '--baseline-ref', '.'], 2, 'TB_USAGE', 'gate needs a threshold'],
    [['--candidate-ref', '.', '--baseline-ref', '.', '--max-time', 'soon'], 2, 'TB_USAGE', '--max-time'],
    [
      ['--candidate-ref', '.', '--baseline-ref', '.', '--set', 'load.driver=autocannon'],
      2,
      'TB_USAGE',
      'scheduled arrivals',
    ],
  ])('%j ends with exit code %i before anything is started', async (args, exit, errorCode, text) => {
    const { code, stderr } = await gate([...args, '--out', 'never']);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(errorCode)]);
    expect(stderr).toContain(text);
  });

  it('refuses sides that cannot run side by side, and refs that replace nothing', async () => {
    const refs = ['--baseline-ref', '.', '--threshold', 'rtt.median < +5%', '--candidate-ref'];
    write(
      'other-requests.yaml',
      `${shopTopology('{ generate: 1 }')}requests: { classes: [{ name: order, origin: us }] }\n`,
    );
    expect((await gate([...refs, 'other-requests.yaml'])).stderr).toContain('different requests');
    write('fixed.yaml', shopTopology('{ name: pricing, command: "node server.cjs 1", port: 7070 }'));
    const fixed = await gate([
      '--baseline-ref',
      'fixed.yaml',
      '--threshold',
      'rtt.median < +5%',
      '--candidate-ref',
      'fixed.yaml',
    ]);
    expect([fixed.code, fixed.stderr]).toEqual([
      2,
      expect.stringContaining('"pricing" listens on port 7070, which two sides cannot share'),
    ]);
    const generated = [
      '--set',
      'topology=other-requests.yaml',
      '--threshold',
      'rtt.median < +5%',
      '--baseline-ref',
      '.',
    ];
    mkdirSync(path('build'));
    const nothing = await gate([...generated, '--candidate-ref', 'build']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('replaces nothing')]);
  });
});
