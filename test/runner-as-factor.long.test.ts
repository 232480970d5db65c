/** The runner as a factor of an experiment: a runner per cell, and the cost of its deployments as figures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareWithin } from '@topo-bench/comparison';
import { cellKey, type RunnerName } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { type ResolvedExperiment, resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { launcherNamed } from '@topo-bench/loadgen';
import { measuredBackend } from '@topo-bench/measured';
import { localRunner, type Runner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 360_000 });

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
      studies,
      runnerNamed,
      logsDir: join(out, 'logs'),
      launcher: launcherNamed('processes', { workerPath: worker.path }),
    }),
    signal: new AbortController().signal,
  });
}

const delayMs = { prepare: 3000, start: 1500, stop: 700 };

/** A deployment as seen from outside. */
interface Observed {
  startMs: number;
  stopMs: number;
  pssBytes: number;
}

/** Works like a runner with known extra times, and records how long each deployment took, and its memory. */
function delayed(runner: Runner, observed: Observed[]): Runner {
  return {
    check: (plan) => runner.check(plan),
    prepare: () => sleep(delayMs.prepare),
    async start(...args) {
      const beganMs = performance.now();
      await sleep(delayMs.start);
      const deployment = await runner.start(...args);
      const own: Observed = { startMs: performance.now() - beganMs, stopMs: Number.NaN, pssBytes: Number.NaN };
      observed.push(own);
      const stop = deployment.stop.bind(deployment);
      deployment.stop = async () => {
        const stopsMs = performance.now();
        const roles = await deployment.usage({ pss: true });
        own.pssBytes = roles.reduce((sum, role) => sum + (role.pssBytes ?? Number.NaN), 0);
        await sleep(delayMs.stop);
        await stop();
        own.stopMs = performance.now() - stopsMs;
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
    const observed: Observed[] = [];
    const second = delayed(local, observed);
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

    expect(observed).toHaveLength(3);
    for (const [at, cost] of costOf(cells, 'delayed').entries()) {
      const { startMs = Number.NaN, stopMs = Number.NaN, pssBytes = Number.NaN } = observed[at] ?? {};
      expect(Math.min(startMs - delayMs.start, stopMs - delayMs.stop)).toBeGreaterThan(-2);
      // The figures include all of a start and a stop. Preparations are outside of the clock.
      const more = [(cost?.readyMs ?? Number.NaN) - startMs, (cost?.stopMs ?? Number.NaN) - stopMs];
      expect(Math.min(...more), `${more}`).toBeGreaterThan(-1);
      expect(Math.max(...more), `${more}`).toBeLessThan(delayMs.prepare / 2);
      // Read at another moment than from outside; without one of the three roles, it is two thirds.
      const ratio = (cost?.memoryBytes ?? Number.NaN) / pssBytes;
      expect(ratio).toBeGreaterThan(0.7);
      expect(ratio).toBeLessThan(1.5);
    }
    for (const cost of costOf(cells, 'local')) expect(cost?.stopMs).toBeGreaterThan(0);
    expect([costOf(cells, 'delayed').length, costOf(cells, 'local').length]).toEqual([3, 3]);

    const valid = {
      ...finished,
      cells: cells.map((cell) => ({ ...cell, validity: { ...cell.validity, valid: true } })),
    };
    const differenceOf = (metric: string) => {
      const compared = compareWithin(valid, 'runner', { metric, reference: 'local' });
      expect(compared.cells.map(({ factors }) => factors.runner)).toEqual(['delayed']);
      return (compared.cells[0]?.difference ?? Number.NaN) / 1e3;
    };
    // Differences between two deployments each; a busy machine adds seconds to some starts.
    const differencesOf = (field: 'readyMs' | 'stopMs') =>
      costOf(cells, 'delayed').flatMap((other) =>
        costOf(cells, 'local').map((own) => (other?.[field] ?? Number.NaN) - (own?.[field] ?? Number.NaN)),
      );
    for (const [metric, field] of [['ready', 'readyMs'] as const, ['teardown', 'stopMs'] as const]) {
      expect(differenceOf(metric), metric).toBeGreaterThanOrEqual(Math.min(...differencesOf(field)));
      expect(differenceOf(metric), metric).toBeLessThanOrEqual(Math.max(...differencesOf(field)));
    }
  });

  it('measures both in turns with `deploy: interleaved`, where teardowns are no figure', async () => {
    const out = join(folder, 'interleaved');
    const local = localRunner({ serviceEntry: await changedService(folder, []) });
    const observed: Observed[] = [];
    const second = delayed(local, observed);
    const { cells } = await run(withSecondRunner('repetitions: 1\ndeploy: interleaved\n'), out, async (name) =>
      name === 'local' ? local : second,
    );
    expect(cells.map(({ turns }) => turns?.levels)).toEqual([2, 2]);
    const [own, other] = [costOf(cells, 'local')[0], costOf(cells, 'delayed')[0]];
    expect(other?.readyMs).toBeGreaterThan((observed[0]?.startMs ?? Number.NaN) - 1);
    expect(own?.readyMs).toBeGreaterThan(0);
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
