/** The runner as a factor of an experiment: a runner per cell, and the cost of its deployments as figures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareWithin } from '@topo-bench/comparison';
import { cellKey, type RunnerName } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { measuredBackend, type ResolvedExperiment, resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { launcherNamed } from '@topo-bench/loadgen';
import { openRun } from '@topo-bench/results';
import { localRunner, type Runner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { onlyHostReasons } from './fixtures/valid-run.ts';

vi.setConfig({ testTimeout: 120_000 });

const experimentOf = (fields: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: two-runners
topology: topology.yaml
factors: { architecture: [none], runner: [local] }
load: { rate: 50, processes: 1, keepAwake: false }
duration: 500ms
warmup: { max: 0s }
validity: { remeasure: 0% }
${fields}`;
const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: small\nservices: [{ generate: 2 }]\n';

const folder = temporaryFolder();
const worker = builtWorker();

/** The cells of the file, and the same ones for a second runner. */
function withSecondRunner(fields: string): ResolvedExperiment {
  const resolved = resolveExperiment(
    {
      experiment: { file: 'experiment.yaml', text: experimentOf(fields) },
      topology: { file: 'topology.yaml', text: topology },
      choices: {},
    },
    studies,
  );
  const runner = 'delayed' as RunnerName;
  const others = resolved.cells.map((cell) => {
    const levels = { ...cell.levels, runner };
    const graph = { ...cell.graph };
    return { ...cell, levels, graph, settings: { ...cell.settings, runner }, deployment: cellKey(levels) };
  });
  return { ...resolved, cells: [...resolved.cells, ...others] };
}

function run(resolved: ResolvedExperiment, out: string, runnerNamed: (name: string) => Promise<Runner>) {
  return runExperiment(resolved, {
    folder: out,
    resume: false,
    version: '0.0.0',
    command: [],
    backend: measuredBackend({
      runnerNamed,
      logsDir: join(out, 'logs'),
      launcher: launcherNamed('processes', { workerPath: worker.path }),
    }),
    signal: new AbortController().signal,
  });
}

const delayMs = { prepare: 3000, start: 1500, stop: 700 };

/** Works like a runner with known extra times, and records the memory of its roles as this host counts it. */
function delayed(runner: Runner, pssBytes: number[]): Runner {
  return {
    check: (plan) => runner.check(plan),
    prepare: () => sleep(delayMs.prepare),
    async start(...args) {
      await sleep(delayMs.start);
      const deployment = await runner.start(...args);
      const stop = deployment.stop.bind(deployment);
      deployment.stop = async () => {
        const roles = await deployment.usage({ pss: true });
        pssBytes.push(roles.reduce((sum, role) => sum + (role.pssBytes ?? Number.NaN), 0));
        await sleep(delayMs.stop);
        await stop();
      };
      return deployment;
    },
  };
}

const costOf = (cells: readonly Cell[], runner: string) =>
  cells.filter(({ factors }) => factors.runner === runner).map(({ deployment }) => deployment);

describe('an experiment with the runner as a factor', () => {
  it('measures each round on both runners, and compares what their deployments cost', async () => {
    const out = join(folder, 'fresh');
    const local = localRunner({ serviceEntry: await changedService(folder, []) });
    const hostPss: number[] = [];
    const second = delayed(local, hostPss);
    const asked: string[] = [];
    await run(withSecondRunner('repetitions: 3\n'), out, async (name) => {
      asked.push(name);
      return name === 'local' ? local : second;
    });
    expect(new Set(asked)).toEqual(new Set(['local', 'delayed']));

    const finished = await openRun(out);
    const { cells } = finished;
    const inOrder = [...cells].sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''));
    const runners = inOrder.map(({ factors }) => factors.runner as string);
    expect(inOrder.map(({ repetition }) => repetition)).toEqual([1, 1, 2, 2, 3, 3]);
    for (const round of [0, 2, 4]) expect(runners.slice(round, round + 2).sort()).toEqual(['delayed', 'local']);
    onlyHostReasons(cells);

    for (const cost of costOf(cells, 'delayed')) {
      expect(cost?.readyMs).toBeGreaterThan(delayMs.start);
      // Preparations are outside of the clock.
      expect(cost?.readyMs).toBeLessThan(delayMs.prepare + delayMs.start);
      expect(cost?.stopMs).toBeGreaterThan(delayMs.stop);
    }
    for (const cost of costOf(cells, 'local')) expect(cost?.stopMs).toBeGreaterThan(0);
    expect([costOf(cells, 'delayed').length, costOf(cells, 'local').length]).toEqual([3, 3]);
    const memory = costOf(cells, 'delayed').map((cost) => cost?.memoryBytes ?? Number.NaN);
    for (const [at, bytes] of memory.entries()) {
      expect(bytes / (hostPss[at] ?? Number.NaN)).toBeGreaterThan(0.8);
      expect(bytes / (hostPss[at] ?? Number.NaN)).toBeLessThan(1.25);
    }

    const valid = {
      ...finished,
      cells: cells.map((cell) => ({ ...cell, validity: { ...cell.validity, valid: true } })),
    };
    const differenceOf = (metric: string) => {
      const compared = compareWithin(valid, 'runner', { metric, reference: 'local' });
      expect(compared.cells.map(({ factors }) => factors.runner)).toEqual(['delayed']);
      return (compared.cells[0]?.difference ?? Number.NaN) / 1e3;
    };
    expect(Math.abs(differenceOf('ready') - delayMs.start)).toBeLessThan(800);
    expect(Math.abs(differenceOf('teardown') - delayMs.stop)).toBeLessThan(500);
  });

  it('measures both in turns with `deploy: interleaved`, where teardowns are no figure', async () => {
    const out = join(folder, 'interleaved');
    const local = localRunner({ serviceEntry: await changedService(folder, []) });
    const second = delayed(local, []);
    const { cells } = await run(withSecondRunner('repetitions: 1\ndeploy: interleaved\n'), out, async (name) =>
      name === 'local' ? local : second,
    );
    expect(cells.map(({ turns }) => turns?.levels)).toEqual([2, 2]);
    const [own, other] = [costOf(cells, 'local')[0], costOf(cells, 'delayed')[0]];
    expect((other?.readyMs ?? 0) - (own?.readyMs ?? 0)).toBeGreaterThan(delayMs.start / 2);
    expect([own, other].map((cost) => cost?.stopMs)).toEqual([undefined, undefined]);
    expect(own?.memoryBytes).toBeGreaterThan(0);
  });

  it('starts nothing where a runner lacks its engine, and names the choice that leaves it out', async () => {
    const out = join(folder, 'missing');
    const local = localRunner({ serviceEntry: '/nowhere' });
    const problem = { code: 'TB_RUNNER_CANNOT_START', message: 'no engine answers', hint: 'start the engine' } as const;
    const absent: Runner = { ...local, check: async () => [problem] };
    const attempt = run(withSecondRunner('repetitions: 1\n'), out, async (name) => (name === 'local' ? local : absent));
    await expect(attempt).rejects.toMatchObject({
      code: 'TB_RUNNER_CANNOT_START',
      exitCode: 3,
      message: 'runner delayed: no engine answers',
      hint: 'start the engine; or leave it out with --only runner=local',
    });
    expect(existsSync(out)).toBe(false);
  });
});
