/** A gate over two commands of one service, of which one is slower, is measured until its verdict. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { computingServer, shopExperiment, shopTopology } from './fixtures/computing-service.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 360_000 });

const github = { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' };

describe('gate --experiment, of services that compute', () => {
  const folder = temporaryFolder();
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => writeFileSync(path(name), text);
  const gate = (args: readonly string[], env: Record<string, string> = {}) =>
    topoBench(['gate', '--experiment', 'experiment.yaml', ...args], { cwd: folder, env: { ...github, ...env } });
  write('experiment.yaml', shopExperiment);
  write('topology.yaml', shopTopology('{ name: pricing, command: "node server.cjs 40" }'));
  write('server.cjs', computingServer);

  it("fails when another command for the user's own service is slower, and names the threshold everywhere", async () => {
    const refs = ['--baseline-ref', 'node server.cjs 60 1.5', '--candidate-ref', 'node server.cjs 150 15'];
    const thresholds = [
      'cpuUsPerRequest.service < +200%',
      'rtt.median < +60%',
      'rtt.median < 100ms',
      'errors.rate <= 0%',
    ];
    const args = [
      ...refs,
      ...thresholds.flatMap((text) => ['--threshold', text]),
      '--max-time',
      '240s',
      '--out',
      'slower',
    ];
    const files = ['--junit', 'gate.xml', '--markdown', 'gate.md', '--json', '--profile'];
    const { code, stdout, stderr } = await gate([...args, ...files], { GITHUB_ACTIONS: 'true' });
    expect(code, stderr).toBe(1);
    const { passed, verdict, thresholds: judged, cells, pairs, runDir } = JSON.parse(stdout);
    expect([passed, verdict, runDir]).toEqual([false, 'failed', 'slower']);
    const [cpu, relative, bound, errors] = judged;
    const isSaturated: boolean = cells.find(({ metric }: { metric: string }) => metric === 'rtt.median').saturated;
    expect([cpu.verdict, bound.verdict, errors.verdict]).toEqual(['failed', 'failed', 'passed']);
    expect(cpu.pooled.differencePercent).toBeGreaterThan(200);
    // Other programs can saturate the host, where round-trip times are not compared; CPU time is.
    expect([relative.threshold, relative.verdict]).toEqual([
      'rtt.median < +60%',
      isSaturated ? 'cannot tell' : 'failed',
    ]);
    expect(pairs).toBeGreaterThanOrEqual(9);
    expect(stderr).toMatch(/^::error title=rtt\.median < 100ms%3A failed::/m);
    expect(readFileSync(path('gate.xml'), 'utf8')).toContain('name="rtt.median &lt; 100ms"');
    expect(readFileSync(path('gate.md'), 'utf8')).toContain('❌ failed');

    const [baseline, candidate] = [await openRun(path('slower/baseline')), await openRun(path('slower/candidate'))];
    expect([baseline.record.status, baseline.record.repetitions, candidate.cells.length]).toEqual([
      'finished',
      pairs,
      pairs,
    ]);
    expect(candidate.record.sideBySide).toMatchObject({
      side: 'candidate',
      ref: 'node server.cjs 150 15',
      id: baseline.record.sideBySide?.id,
    });
    for (const [at, { repetition, outcomes, offeredRps, achievedRps, rtt }] of baseline.cells.entries()) {
      const other = candidate.cells[at];
      expect([other?.repetition, other?.rtt.count]).toEqual([repetition, rtt.count]);
      expect([outcomes.error, offeredRps, rtt.count]).toEqual([0, 30, Math.round(achievedRps / 2)]);
      expect(rtt.medianUs).toBeGreaterThanOrEqual(59_000);
      expect(other?.rtt.medianUs).toBeGreaterThanOrEqual(149_000);
    }
    // Both sides are held to the limit of the faster one.
    const validPairs = baseline.cells
      .map((fast, at) => ({ fast, slow: candidate.cells[at] }))
      .filter(({ fast, slow }) => fast.validity.valid && slow?.validity.valid);
    expect(validPairs.length).toBeGreaterThan(0);
    for (const { fast, slow } of validPairs) {
      expect(slow?.validity.lagLimit).toEqual(fast.validity.lagLimit);
      expect(slow?.validity.lagLimit?.p99Us).toBeCloseTo(
        Math.min(fast.rtt.medianUs, slow?.rtt.medianUs as number) / 10,
      );
    }
    // Processes with real profiles: the function that computes longer, in the service of the user.
    const { stopped, report, profile } = JSON.parse(stdout);
    const [most] = profile.functions as { name: string; file: string; roles: string[]; us: number }[];
    expect(most, stderr).toMatchObject({ file: 'server.cjs', roles: ['pricing'] });
    expect(['compute', 'usedMs']).toContain(most?.name);
    expect(most?.us).toBeGreaterThan(3000);
    expect(profile.missing).toEqual([]);
    expect(readFileSync(path('gate.md'), 'utf8')).toContain('(server.cjs:');
    expect(readFileSync(path('gate.xml'), 'utf8')).toContain('(server.cjs:');
    expect(stopped).toMatchObject({ pairs, reason: expect.stringMatching(/^(enough pairs|max-time)$/) });
    expect(readFileSync(path('gate.md'), 'utf8')).toContain('Note: stopped after');
    expect(readFileSync(path('gate.xml'), 'utf8')).toMatch(/<system-out>stopped after \d+:\d\d/);
    expect(report).toBe('slower/report.html');
    // Both sides are on the page, as levels of one factor.
    const page = readFileSync(path(report), 'utf8');
    expect([page.includes('baseline'), page.includes('candidate')]).toEqual([true, true]);
    const again = await topoBench(['compare', 'slower/baseline', 'slower/candidate', '--json'], { cwd: folder });
    expect(JSON.parse(again.stdout).cells[0].pairing).toBe('by round');
  });
});
