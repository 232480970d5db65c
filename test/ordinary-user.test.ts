/**
 * Nothing needs root: the quickstart, the routing experiment and a gate have valid repetitions for a user without
 * real-time priority, raised priority or `/dev/cpu_dma_latency`.
 */
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, vi } from 'vitest';
import { asOrdinaryUser, giveToOrdinaryUser, whyNotOrdinary } from './fixtures/ordinary-user.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { root, topoBench } from './fixtures/topo-bench.ts';
import { oneOfEachCell, untilValid, validRun } from './fixtures/valid-run.ts';

vi.setConfig({ testTimeout: 240_000 });

const why = whyNotOrdinary();
/** Other tests use the processors too, and without priority requests then leave late. */
const noisy = ['--set', 'validity.remeasure=0%', '--set', 'validity.smallestDifference=100%'];
/** All that other processes of a machine may do to a round: requests leave late, or in the wrong second. */
const ofBusyMachine = [
  /^scheduler lag p99 /,
  /^second \d+: sent \d+, scheduled \d+$/,
  /^load generator CPU-bound: /,
  /^load generator \S+ began \S+ \S+ after the common start instant/,
];
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

  it('runs the quickstart, one round of it here', async () => {
    const { cells } = await validRun((attempt) =>
      run(
        ...['run', 'quickstart', '--repetitions', '1', '--out', `quickstart-${attempt}`],
        ...['--set', 'warmup.max=2s', ...noisy],
      ),
    );
    expect(cells).toHaveLength(4);
    expect(cells.map(privileges)).toEqual(cells.map(() => [false, false, false]));
  });

  it('runs a round of the quickstart as it ships', async () => {
    const { code, stdout, stderr } = await run('run', 'quickstart', '--repetitions', '1', '--out', 'as-shipped');
    const { cells } = JSON.parse(stdout) as { cells: Cell[] };
    expect(cells).toHaveLength(4);
    const reasons = cells.flatMap(({ validity }) => validity.reasons);
    expect(
      reasons.filter((reason) => !ofBusyMachine.some((accepted) => accepted.test(reason))),
      stderr,
    ).toEqual([]);
    expect(code, stderr).toBe(reasons.length === 0 ? 0 : 5);
    expect(cells.map(privileges)).toEqual(cells.map(() => [false, false, false]));
  });

  it('runs routing-small, two short cells of it here', async () => {
    const { cells } = await validRun(
      (attempt) =>
        run(
          ...['run', 'routing-small', '--only', 'architecture=central-entity,sidecar', '--repetitions', '1'],
          ...['--set', 'duration=2s', '--set', 'warmup.max=3s', ...noisy],
          ...['--out', `routing-${attempt}`],
        ),
      oneOfEachCell,
    );
    expect(cells.map(privileges)).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
  });

  it('measures a valid pair with the gate', async () => {
    await untilValid(async (attempt) => {
      const { stderr } = await run(
        ...['gate', '--experiment', join(root, 'packages/cli/bench/gate/waiting.yaml'), '--set', 'warmup.max=2s'],
        ...[
          '--set',
          'defaults.work.mean=40ms',
          '--candidate-set',
          'defaults.work.mean=40ms',
          '--max-time',
          '1s',
          '--out',
          `gate-${attempt}`,
        ],
      );
      const listed = await run('report', `gate-${attempt}/baseline`, `gate-${attempt}/candidate`);
      const { runs } = JSON.parse(listed.stdout) as { runs: { cells: Cell[] }[] };
      const cells = runs.flatMap((one) => one.cells);
      expect(cells.map(privileges)).toEqual([
        [false, false, false],
        [false, false, false],
      ]);
      return { cells, stderr };
    });
  });
});
