/** A self-test of a gate over stored pairs of equal sides: thousands of resampled gates. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { syntheticRun } from '../packages/report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';

const small = { architectures: ['none'], services: [5], rates: [100], repetitions: 8, requests: 60 };
const folder = temporaryFolder();
const selfTest = ['gate', '--self-test', '--baseline', 'baseline', '--candidate', 'candidate', '--max-time', '2m'];
const run = (args: readonly string[]) =>
  topoBench(args, { cwd: folder, env: { GITHUB_ACTIONS: '', GITHUB_STEP_SUMMARY: '' } });

beforeAll(async () => {
  for (const [side, seed] of [
    ['baseline', 1],
    ['candidate', 2],
  ] as const) {
    await syntheticRun(join(folder, side), { ...small, seed });
    const [recordFile, cellsFile] = [join(folder, side, 'run.json'), join(folder, side, 'cells.json')];
    const record = JSON.parse(readFileSync(recordFile, 'utf8')) as object;
    const sideBySide = { id: 'one', side, ref: 'as it stands' };
    writeFileSync(recordFile, JSON.stringify({ ...record, sideBySide }));
    // Rounds of ten seconds.
    const cells = JSON.parse(readFileSync(cellsFile, 'utf8')) as { repetition: number }[];
    const startedAt = (repetition: number): string => new Date(repetition * 10_000).toISOString();
    writeFileSync(cellsFile, JSON.stringify(cells.map((cell) => ({ ...cell, startedAt: startedAt(cell.repetition) }))));
  }
});

it('reports what a gate could decide, and suggests a threshold and a time', async () => {
  const { code, stdout } = await run(selfTest);
  expect(code).toBe(0);
  expect(stdout).toContain('8 of 8 pairs of equal sides are valid');
  expect(stdout).toMatch(/rtt\.median < \+5%\s+\d+ (to \d+ )?pairs, .* 0 of 100 /);
  expect(stdout).toMatch(/Suggested here: --threshold 'rtt\.median < \+\d+%' --max-time \d+m\n$/);
  const { rows } = JSON.parse((await run([...selfTest, '--json', '--threshold', 'rtt.p95 < +30%'])).stdout);
  expect(rows.map(({ threshold }: { threshold: string }) => threshold)).toEqual(
    ['2', '5', '10', '20', '30'].map((percent) => `rtt.p95 < +${percent}%`),
  );
});

it('refuses an absolute threshold', async () => {
  const { code, stderr } = await run([...selfTest, '--threshold', 'rtt.p95 < 20ms']);
  expect(stderr).toContain('a self-test needs a relative threshold');
  expect(code).toBe(2);
});
