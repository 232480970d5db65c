/**
 * Load from the network of the roles: a deployment that offers generators gets its load from them, split over as many
 * as set in the experiment. The runner is the local one; its generators are processes on a second address.
 */
import { join } from 'node:path';
import { resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { measuredBackend } from '@topo-bench/measured';
import { readSamples } from '@topo-bench/results';
import { createRunner, type Deployment, type Runner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { startHost } from '../loadgen/test/fixtures/generator-host.ts';
import { changedService } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ generate: 2 }]
`;
const experimentOf = (deploy: string, from: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
factors: { ${deploy === 'interleaved' ? 'architecture: [none, sidecar]' : 'generators: [1, 2]'} }
repetitions: 1
deploy: ${deploy}
load: { rate: 60, keepAwake: false, generators: 2, from: ${from} }
duration: 1s
drain: 10s
warmup: { max: 1s, window: 250ms, requests: 20 }
turns: { slice: 250ms, gap: 50ms }
validity: { remeasure: 0% }
`;

const folder = temporaryFolder();
const worker = builtWorker();
// The whole network 127.0.0.0/8 is this machine on Linux alone.
const hasSecondAddress = process.platform === 'linux';

/** The local runner with generators in its network, and the counts that it was asked for. */
async function withGenerators(): Promise<{ runner: Runner; asked: number[] }> {
  const local = await createRunner('local', { serviceEntry: await changedService(folder, []) });
  const asked: number[] = [];
  const started: Awaited<ReturnType<typeof startHost>>[] = [];
  const start: Runner['start'] = async (...args): Promise<Deployment> => {
    const deployment = await local.start(...args);
    return Object.assign(deployment, {
      inside: {
        gatewayUrls: [deployment.gatewayUrl],
        generators: async (count: number) => {
          asked.push(count);
          while (started.length < count) started.push(await startHost(worker.path, `generator-${started.length}`));
          return started.slice(0, count).map(({ address }) => address);
        },
      },
    });
  };
  return { runner: { check: (plan) => local.check(plan), start }, asked };
}

async function run(deploy: string, from = 'roles'): Promise<{ out: string; asked: number[] }> {
  const out = join(folder, `${deploy}-${from}`);
  const { runner, asked } = await withGenerators();
  const files = {
    experiment: { file: 'experiment.yaml', text: experimentOf(deploy, from) },
    topology: { file: 'topology.yaml', text: topology },
  };
  await runExperiment(resolveExperiment({ ...files, choices: {} }, studies), {
    folder: out,
    resume: false,
    version: '0.0.0',
    command: [],
    backend: measuredBackend({ studies, runnerNamed: async () => runner, logsDir: join(out, 'logs') }),
    signal: new AbortController().signal,
  });
  onlyHostReasons((await openRun(out)).cells);
  return { out, asked };
}

describe.skipIf(!hasSecondAddress)('load from inside', () => {
  it('is one schedule, whatever the number of generators, and each is recorded', async () => {
    const { out, asked } = await run('round');
    const { cells } = await openRun(out);
    expect([...asked].sort()).toEqual([1, 2]);
    const intended: number[][] = [];
    for (const { factors, generator, samples, decisions, outcomes } of cells) {
      const names = factors.generators === 1 ? ['generator-0'] : ['generator-0', 'generator-1'];
      expect(generator?.each?.map(({ name }) => name)).toEqual(names);
      expect(Object.keys(generator?.hosts ?? {})).toEqual(names.map((name) => `machine-of-${name}`));
      expect(generator?.each?.reduce((sum, { sent }) => sum + sent, 0)).toBe(outcomes.completed);
      expect([outcomes.error, decisions.wrong]).toEqual([0, 0]);
      intended.push((await readSamples(join(out, samples as string))).map(({ intendedUs }) => intendedUs));
    }
    expect(intended).toHaveLength(2);
    expect(intended[0]?.length).toBeGreaterThan(30);
    expect(intended[1]).toEqual(intended[0]);
  });

  it('reaches deployments that take turns from one place', async () => {
    const { out, asked } = await run('interleaved');
    const { cells } = await openRun(out);
    expect(asked).toEqual([2]);
    expect(cells.map(({ factors }) => factors.architecture).sort()).toEqual(['none', 'sidecar']);
    for (const { generator, outcomes } of cells) {
      expect(generator?.each?.map(({ name }) => name)).toEqual(['generator-0', 'generator-1']);
      expect(outcomes.completed).toBeGreaterThan(30);
      expect(outcomes.error).toBe(0);
    }
  });

  it('comes from this machine instead, where the experiment requires it', async () => {
    const { out, asked } = await run('interleaved', 'here');
    const { cells } = await openRun(out);
    expect(asked).toEqual([]);
    expect(cells).toHaveLength(2);
    for (const { generator, outcomes } of cells) {
      expect(generator?.hosts).toBeUndefined();
      expect(outcomes.completed).toBeGreaterThan(30);
    }
  });
});
