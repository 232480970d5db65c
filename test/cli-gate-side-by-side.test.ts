import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { brokenServer, computingServer, shopExperiment, shopTopology } from './fixtures/computing-service.ts';
import { openRun } from './fixtures/open-run.ts';
import { allGone, canSeeProcesses, childrenOf, isAlive } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 360_000 });

const github = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' };

describe('gate --experiment', () => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('experiment.yaml'), shopExperiment);
  writeFileSync(path('topology.yaml'), shopTopology('{ name: pricing, command: "node server.cjs 40" }'));
  writeFileSync(path('server.cjs'), computingServer);

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
    },
  );

  it('fails a candidate that answers with errors, or does not run; a baseline that does not run is none', async () => {
    writeFileSync(path('broken.cjs'), brokenServer);
    const works = 'node server.cjs 5';
    const gate = async (baseline: string, candidate: string) => {
      const refs = [
        '--baseline-ref',
        baseline,
        '--candidate-ref',
        candidate,
        '--max-time',
        '1s',
        '--junit',
        'gate.xml',
      ];
      const thresholds = ['--threshold', 'rtt.median < +400%', '--threshold', 'errors.rate <= 0%'];
      const args = ['gate', '--experiment', 'experiment.yaml', ...refs, ...thresholds, '--out', `broken-${++gates}`];
      const { code, stdout, stderr } = await topoBench(args, { cwd: folder, env: github });
      return { code, text: stdout + stderr, junit: readFileSync(path('gate.xml'), 'utf8') };
    };
    let gates = 0;
    const erring = await gate(works, 'node broken.cjs');
    expect([erring.code, erring.text]).toEqual([1, expect.stringContaining('The gate failed.')]);
    expect(erring.text).toMatch(/candidate fails: \d[\d.]+% of its requests ended with an error, bad-answer:pricing/);
    expect(erring.junit).toContain('failures="2" errors="0"');
    const dead = await gate(works, 'node nothing.cjs');
    expect([dead.code, dead.text]).toEqual([
      1,
      expect.stringContaining('TB_GATE_CANDIDATE: the candidate does not run'),
    ]);
    expect(dead.text).toContain("Cannot find module '");
    expect(dead.junit).toContain('failures="2" errors="0"');
    const none = await gate('node nothing.cjs', works);
    expect([none.code, none.text]).toEqual([
      6,
      expect.stringContaining('TB_GATE_NO_BASELINE: the baseline does not run'),
    ]);
    expect(none.junit).toContain('failures="0" errors="2"');
  });
});
