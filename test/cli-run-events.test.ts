/** Planned events on real processes, by the built tool: what a run records of them, and that nothing is left behind. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, vi } from 'vitest';
import { callTopoBench } from '../packages/cli/test/fixtures/in-process.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { allGone, canSeeProcesses, childrenOf } from './fixtures/processes.ts';
import { temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
writeSmallFiles(folder);

/** @returns the name of the file */
function experiment(name: string, fields: string): string {
  const text = `apiVersion: topo-bench/v1
kind: Experiment
name: ${name}
topology: topology.yaml
set: { deadlines: { hop: 2s, request: 4s } }
load: { rate: 40 }
repetitions: 1
drain: 4s
warmup: { requests: 20, window: 250ms, connections: 2, max: 1s }
validity: { remeasure: 0%, smallestDifference: 100% }
${fields}`;
  writeFileSync(join(folder, `${name}.yaml`), text);
  return `${name}.yaml`;
}

const classesOf = ({ classes }: Cell) => classes as NonNullable<Cell['classes']>;

describe.skipIf(!canSeeProcesses)('a run under planned events', () => {
  it('counts what crashes of all kinds of role have cost, recovers from each, and decides nothing wrongly', async () => {
    const file = experiment(
      'crashes',
      `duration: 9s
events:
  - { at: 500ms, crash: point of orders, restart: 300ms }
  - { at: 3s, crash: orders, restart: 300ms }
  - { at: 5500ms, crash: gateway, restart: 300ms }
  - { at: 8s, freeze: orders, for: 200ms }
`,
    );
    const run = startTopoBench(['run', file, '--json', '--out', 'crashes', '--set', 'architecture=sidecar'], {
      cwd: folder,
    });
    const { cells } = await measuredRun(run.ended);
    const [cell] = cells as [Cell];
    expect(cell.decisions.wrong).toBe(0);
    const { scheduled, lostAt: _, failedBy, ...classes } = classesOf(cell);
    expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(scheduled);
    expect(classes.duplicated).toBe(0);
    const [point, service, gateway, frozen] = cell.events ?? [];
    // Each is down for 300 ms at 40 requests per second, and all requests need it.
    for (const event of [point, service, gateway]) {
      expect(event?.effects?.failed, event?.name).toBeGreaterThan(0);
      expect(event?.effects?.recoveredUs, event?.name).toBeLessThan(Number.POSITIVE_INFINITY);
      expect(event?.end?.effectiveUs, event?.name).toBeGreaterThan(0);
    }
    expect(frozen?.effects).toMatchObject({ lost: 0, failed: 0 });
    const kinds = Object.keys(failedBy);
    for (const kind of ['unreachable:orders-sidecar', 'unreachable:orders', 'connection-refused'])
      expect(kinds).toContain(kind);
  });

  it('leaves no process when it is interrupted while roles are down and frozen', async () => {
    const file = experiment(
      'interrupted',
      `duration: 20s
events:
  - { at: 100ms, crash: orders, restart: never }
  - { at: 100ms, freeze: scoring, for: 19s }
`,
    );
    const run = startTopoBench(['run', file, '--out', 'interrupted'], { cwd: folder });
    await vi.waitFor(() => expect(childrenOf(run.pid).some(({ state }) => state === 'T')).toBe(true), {
      timeout: 60_000,
    });
    const children = childrenOf(run.pid).map(({ pid }) => pid);
    run.process.kill('SIGINT');
    expect((await run.ended).code).toBe(130);
    await allGone(children);
  });

  it('is refused with exit code 2 and the way out, at the place in the file', async () => {
    const file = experiment('faulty', 'duration: 2s\nevents:\n  - { at: 1s, crash: ordrs, restart: 300ms }\n');
    const { code, stderr } = await callTopoBench(['run', file], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/faulty\.yaml:13:5: .*"ordrs" is no role/);
    expect(stderr).toContain('did you mean "orders"?');
  });
});
