/**
 * Nothing needs root: the quickstart and a gate measure for a user without real-time priority, raised priority or
 * `/dev/cpu_dma_latency`.
 */
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, vi } from 'vitest';
import { measuredRun, onlyHostReasons } from './fixtures/measured-run.ts';
import { asOrdinaryUser, giveToOrdinaryUser, whyNotOrdinary } from './fixtures/ordinary-user.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 240_000 });

const why = whyNotOrdinary();
const isSkipped = why !== undefined && process.env.CI !== 'true';

describe.skipIf(isSkipped)(`an ordinary user${isSkipped ? ` (skipped: ${why})` : ''}`, () => {
  const folder = temporaryFolder();
  giveToOrdinaryUser(folder);
  const run = (...args: string[]) =>
    topoBench([...args, '--json'], { cwd: folder, env: { HOME: folder }, through: asOrdinaryUser });
  const privileges = ({ generator, gateway }: Cell): unknown[] => [
    generator?.realTimePriority,
    generator?.coresKeptAwake,
    gateway?.priority,
  ];

  it('runs a round of the quickstart as it ships', async () => {
    const { cells } = await measuredRun(run('run', 'quickstart', '--repetitions', '1', '--out', 'as-shipped'));
    expect(cells).toHaveLength(4);
    expect(cells.map(privileges)).toEqual(cells.map(() => [false, false, false]));
  });

  it('measures a pair with the gate', async () => {
    const { stderr } = await run(
      ...['gate', '--experiment', join(root, 'packages/cli/bench/gate/waiting.yaml'), '--set', 'warmup.max=2s'],
      ...['--set', 'defaults.work.mean=40ms', '--candidate-set', 'defaults.work.mean=40ms'],
      ...['--max-time', '1s', '--out', 'gate'],
    );
    const listed = await run('report', 'gate/baseline', 'gate/candidate');
    const { runs } = JSON.parse(listed.stdout) as { runs: { cells: Cell[] }[] };
    const cells = runs.flatMap((one) => one.cells);
    onlyHostReasons(cells, stderr);
    expect(cells.map(privileges)).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
  });
});
