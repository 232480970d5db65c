/** Stalls of a real role under load: the run finds the slow requests, and names the role and the reason. */
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { readSamples } from '@topo-bench/results';
import { createRunner } from '@topo-bench/runners';
import { expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { openRun } from './fixtures/open-run.ts';
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
duration: 24s
drain: 20s
warmup: { max: 1s, window: 250ms, requests: 50 }
validity: { remeasure: 0% }
`;

/**
 * Takes place in one request of the load: after 4 s, and after 12 s. The signal that continues the process comes from
 * another one. Stalls of 2 s are far longer than pauses of a busy machine, and delay less than a fifth of all requests.
 */
const stalls = `
        if (name === 'svc-1' && requestId === 'r1-000040') {
          const { spawn } = await import('node:child_process');
          spawn('sh', ['-c', 'sleep 2; kill -CONT ' + process.pid], { stdio: 'ignore' });
          process.kill(process.pid, 'SIGSTOP');
        }
        if (name === 'svc-2' && requestId === 'r1-000120') {
          const large = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i })));
          for (const end = performance.now() + 2000; performance.now() < end; ) JSON.parse(large);
        }
`;

const folder = temporaryFolder();
const worker = builtWorker();

async function measured(serviceEntry: string): Promise<Cell> {
  const out = join(folder, 'run');
  const runner = await createRunner('local', { serviceEntry });
  await runFiles({ experiment, topology }, { out, runner, workerPath: worker.path });
  const [cell] = (await openRun(out)).cells;
  return cell as Cell;
}

it('stalls of a stopped process and of a blocked event loop are recorded, with the role and the reason', async () => {
  const change = { file: 'services/src/service/service-work.ts', from: 'const { name, work } = this.service;' };
  const serviceEntry = await changedService(folder, [{ ...change, to: change.from + stalls }]);
  const cell = await measured(serviceEntry);
  const longest = (role: string) =>
    cell.timeline?.events.filter((event) => event.role === role).sort((a, b) => b.durationMs - a.durationMs)[0];
  const [stopped, busy] = [longest('svc-1'), longest('svc-2')];
  expect(stopped).toMatchObject({ kind: 'stopped' });
  // Without a processor for most of that time, it waited rather than worked.
  expect(['busy', 'waiting']).toContain(busy?.kind);
  for (const event of [stopped, busy]) expect(event?.durationMs).toBeGreaterThan(1500);
  const samples = await readSamples(join(folder, 'run', cell.samples as string));
  const causes = { stopped: ['stopped'], busy: ['event-loop'], waiting: ['foreign-load', 'processors'] } as const;
  for (const [id, event] of [
    ['r1-000040', stopped],
    ['r1-000120', busy],
  ] as const) {
    const slow = samples.find((sample) => sample.id === id);
    const { intendedUs = 0, doneUs } = slow ?? {};
    expect(Number(doneUs) - intendedUs, id).toBeGreaterThan(1_900_000);
    // On a busy host all requests can be as slow as in a stall, which is no episode then.
    const episode = cell.slow?.episodes.find(
      ({ startMs, endMs }) => startMs < intendedUs / 1000 + 1000 && endMs > intendedUs / 1000 + 1000,
    );
    if (!episode) {
      expect(Math.max(...Object.values(cell.slow?.limitsMs ?? {})), id).toBeGreaterThan(1500);
      continue;
    }
    expect(episode.slowestMs).toBeGreaterThan(1000);
    expect(episode.cause.role, id).toBe(event?.role);
    expect(causes[event?.kind as keyof typeof causes], id).toContain(episode.cause.kind);
  }
});
