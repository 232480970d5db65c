/** Stalls of a real role under load: the run finds the slow requests, and names the role and the reason. */
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { createRunner } from '@topo-bench/runners';
import { expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { runFiles } from './fixtures/run-files.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 300_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ generate: 2 }]
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
factors: { architecture: [sidecar] }
repetitions: 1
load: { rate: 10, arrivals: constant, processes: 1, keepAwake: false }
duration: 16s
drain: 20s
warmup: { max: 1s, window: 250ms, requests: 50 }
validity: { remeasure: 0% }
`;

/**
 * Takes place in one request of the load: after 4 s, and after 10 s. The signal that continues the process comes from
 * another one. Stalls of 1.5 s are far longer than pauses of a busy machine, and delay less than a quarter of all
 * requests.
 */
const stalls = `
        if (name === 'svc-1' && id === 'r1-000040') {
          const { spawn } = await import('node:child_process');
          spawn('sh', ['-c', 'sleep 1.5; kill -CONT ' + process.pid], { stdio: 'ignore' });
          process.kill(process.pid, 'SIGSTOP');
        }
        if (name === 'svc-2' && id === 'r1-000100') {
          const large = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i })));
          for (const end = performance.now() + 1500; performance.now() < end; ) JSON.parse(large);
        }
`;

const folder = temporaryFolder();
const worker = builtWorker();

async function measured(attempt: number, serviceEntry: string): Promise<Cell> {
  const out = join(folder, `run-${attempt}`);
  const runner = await createRunner('local', { serviceEntry });
  await runFiles({ experiment, topology }, { out, runner, workerPath: worker.path });
  const [cell] = (await openRun(out)).cells;
  return cell as Cell;
}

it('a stopped process and a blocked event loop are found, with the role and the reason', async () => {
  const change = { file: 'services/src/service/work-routes.ts', from: 'seen.touch({ id, done: 0 });' };
  const serviceEntry = await changedService(folder, [{ ...change, to: change.from + stalls }]);
  // On a busy host all requests can be as slow as in a stall.
  const near = (cell: Cell, ms: number) =>
    cell.slow?.episodes.find(({ startMs, endMs }) => startMs < ms + 750 && endMs > ms + 750);
  let cell = await measured(1, serviceEntry);
  for (let attempt = 2; attempt <= 5 && !(near(cell, 4000) && near(cell, 10_000)); attempt++) {
    cell = await measured(attempt, serviceEntry);
  }
  const [stopped, busy] = [near(cell, 4000), near(cell, 10_000)];
  for (const episode of [stopped, busy]) {
    // 1.5 s have 15 requests, of which the last ones wait for a short time only.
    expect(episode?.requests).toBeGreaterThanOrEqual(8);
    expect(episode?.slowestMs).toBeGreaterThan(1000);
  }
  const longest = (role: string) =>
    cell.timeline?.events.filter((event) => event.role === role).sort((a, b) => b.durationMs - a.durationMs)[0];
  expect(longest('svc-1')).toMatchObject({ kind: 'stopped' });
  expect(stopped?.cause).toMatchObject({ kind: 'stopped', role: 'svc-1' });
  // Without a processor for most of that time, it waited rather than worked.
  expect(busy?.cause.role).toBe('svc-2');
  const reasons = { busy: ['event-loop'], waiting: ['foreign-load', 'processors'] } as Record<string, string[]>;
  expect(reasons[longest('svc-2')?.kind ?? '']).toContain(busy?.cause.kind);
});
