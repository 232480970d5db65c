/** Planned events on pods of a real cluster: crashes of every kind of role, a freeze, and rules that points fetch. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { describe, expect, it, vi } from 'vitest';
import { kubernetesOrSkip } from './fixtures/engines.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { namespacesOf } from './fixtures/namespaces.ts';
import { smallRules, temporaryFolder, writeSmallFiles } from './fixtures/small-files.ts';
import { startTopoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 600_000 });

const { missing, why, image } = await kubernetesOrSkip();
const folder = temporaryFolder();
writeSmallFiles(folder);
writeFileSync(
  join(folder, 'v2.yaml'),
  smallRules.replace('value: eu }\n        - { fact: target', 'value: us }\n        - { fact: target'),
);

async function run(name: string, fields: string): Promise<Cell[]> {
  const text = `apiVersion: topo-bench/v1
kind: Experiment
name: ${name}
topology: topology.yaml
runner: kubernetes
load: { rate: 20, from: here }
repetitions: 1
drain: 6s
warmup: { requests: 20, window: 250ms, connections: 2, max: 1s }
validity: { remeasure: 0%, smallestDifference: 100% }
${fields}`;
  writeFileSync(join(folder, `${name}.yaml`), text);
  const tool = startTopoBench(['run', `${name}.yaml`, '--json', '--out', name], {
    cwd: folder,
    env: { TOPO_BENCH_IMAGE: image },
  });
  const { cells } = await measuredRun(tool.ended);
  expect(await namespacesOf(tool.pid)).toEqual([]);
  for (const { classes, decisions } of cells as Cell[]) {
    expect(decisions.wrong).toBe(0);
    const { scheduled, lostAt: _, failedBy: _by, ...counts } = classes as NonNullable<Cell['classes']>;
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(scheduled);
    expect(counts.duplicated).toBe(0);
  }
  return cells as Cell[];
}

describe.skipIf(missing)(`a run under events in pods${why}`, () => {
  it('recovers from crashes of all kinds of role and from a freeze, without a death', async () => {
    const cells = await run(
      'crashes',
      `duration: 16s
set: { deadlines: { hop: 2s, request: 4s } }
factors: { architecture: [central-entity, dynamic-router-2, sidecar] }
events:
  - { at: 1s, crash: point of orders, restart: 700ms }
  - { at: 5s, crash: orders, restart: 700ms }
  - { at: 9s, crash: gateway, restart: 700ms }
  - { at: 14s, freeze: point of orders, for: 300ms }
`,
    );
    expect(cells.map(({ factors }) => factors.architecture)).toHaveLength(3);
    for (const { factors, events = [], cpuUsPerRequest, classes } of cells) {
      expect(events.map(({ begin, end }) => [begin.error, end?.error])).toEqual(
        events.map(() => [undefined, undefined]),
      );
      for (const { name, effects } of events.slice(0, 3)) {
        const where = `${factors.architecture}: ${name}`;
        expect((effects?.failed ?? 0) + (effects?.lost ?? 0), where).toBeGreaterThan(0);
        expect(effects?.recoveredUs, where).toBeLessThan(Number.POSITIVE_INFINITY);
      }
      expect(events[3]?.effects).toMatchObject({ lost: 0, failed: 0 });
      expect(Object.keys(classes?.failedBy ?? {})).toEqual(expect.arrayContaining(['connection-refused']));
      for (const cpuUs of Object.values(cpuUsPerRequest)) expect(cpuUs).toBeGreaterThan(0);
    }
  });

  it.each(['{ poll: 300ms }', 'stream'])('has points that fetch changed rules: %s', async (distribution) => {
    const name = /\w+/.exec(distribution)?.[0] as string;
    const [cell] = await run(
      name,
      `duration: 6s
set: { enforcement: { distribution: ${distribution}, consistency: versioned }, deadlines: { hop: 2s, request: 4s } }
factors: { architecture: [sidecar] }
events:
  - { at: 2s, rules: v2.yaml }
  - { at: 3s, crash: scoring-sidecar, restart: 700ms }
`,
    );
    const [change] = cell?.events ?? [];
    expect(change?.begin.error).toBeUndefined();
    expect(change?.begin.effectiveUs).toBeGreaterThan(change?.begin.requestedUs as number);
    expect(cell?.classes).toMatchObject({ stale: 0, torn: 0 });
    // It decided by the first rules, and by the second.
    const times = [expect.any(Number), expect.any(Number)];
    expect(cell?.staleness?.points).toContainEqual({ name: 'scoring-sidecar', sinceUs: times });
    expect(cell?.classes?.refused).toBeGreaterThan(10);
    expect(cell?.classes?.answered).toBeGreaterThan(10);
  });
});
