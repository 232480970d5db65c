/** An experiment on a runner that topo-bench does not ship: the port leaves nothing to be known of local processes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { launcherNamed } from '@topo-bench/loadgen';
import { measuredBackend } from '@topo-bench/measured';
import type { Deployment, Runner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { describe, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { filesRunner } from '../packages/runners/test/fixtures/files-runner/runner.ts';
import { changedService } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { childrenOf } from './fixtures/processes.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const linkDelayUs = 400_000;
const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
nodes: [{ name: eu-1, region: eu }, { name: us-1, region: us }]
links: [{ from: eu, to: us, delay: 400ms }]
services: [{ name: orders, node: eu-1 }, { name: scoring, node: us-1 }]
requests:
  classes:
    - name: order
      origin: eu
      payload: { customer: { category: personal, size: 16B }, note: { category: none, size: 16B } }
rules: rules.yaml
`;
const rules = `apiVersion: topo-bench/v1
kind: Rules
name: small
rules:
  - id: no-customer
    effect: redact
    redact: { remove: [/customer] }
    when: { fact: target, path: $.region, operator: equal, value: us }
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
factors: { architecture: [sidecar] }
repetitions: 1
load: { rate: 50, processes: 1, keepAwake: false }
duration: 1s
drain: 10s
warmup: { max: 2s, window: 250ms, requests: 100 }
validity: { remeasure: 0%, smallestDifference: 100% }
`;

const folder = temporaryFolder();
const worker = builtWorker();
// The whole network 127.0.0.0/8 is this machine on Linux alone.
const hasSecondAddress = process.platform === 'linux';

/** The runner, with the deployments that it has made. */
function watched(runner: Runner): { runner: Runner; deployments: Deployment[] } {
  const deployments: Deployment[] = [];
  const start: Runner['start'] = async (...args) => {
    const deployment = await runner.start(...args);
    deployments.push(deployment);
    return deployment;
  };
  return { runner: { check: (plan) => runner.check(plan), start }, deployments };
}

async function run(runner: Runner, out: string): Promise<readonly Cell[]> {
  const files = {
    experiment: { file: 'experiment.yaml', text: experiment },
    topology: { file: 'topology.yaml', text: topology },
    rules: { file: 'rules.yaml', text: rules },
  };
  const launcher = launcherNamed('processes', { workerPath: worker.path });
  const { cells } = await runExperiment(resolveExperiment({ ...files, choices: {} }, studies), {
    folder: out,
    resume: false,
    version: '0.0.0',
    command: [],
    backend: measuredBackend({ studies, runnerNamed: async () => runner, logsDir: join(out, 'logs'), launcher }),
    signal: new AbortController().signal,
  });
  return cells;
}

describe.skipIf(!hasSecondAddress)('a runner with addresses of its own and documents in files', () => {
  it('measures a repetition with right decisions, on a network whose delays are its own', async () => {
    const serviceEntry = await changedService(folder, []);
    const { runner, deployments } = watched(filesRunner({ serviceEntry }));
    const out = join(folder, 'files');
    const cells = await run(runner, out);
    onlyHostReasons(cells);
    const [cell] = cells as [Cell];
    expect(cell.outcomes.completed).toBeGreaterThan(20);
    expect(cell.outcomes).toMatchObject({ refused: 0, error: 0, unfinished: 0 });
    expect(cell.decisions).toMatchObject({ wrong: 0, redact: cell.outcomes.completed });
    // There and back over the link once: with simulated delays no request could be faster.
    expect(cell.rtt.minUs).toBeLessThan(linkDelayUs);
    expect(cell).not.toHaveProperty('gateway');
    expect(cell.cpuUsPerRequest.sidecar).toBeGreaterThan(0);
    expect(cell.resources.service?.pssBytes).toBeGreaterThan(0);
    expect((await openRun(out)).record.hosts).toEqual([expect.objectContaining({ id: 'second-host' })]);
    const roles = deployments.flatMap((deployment) => deployment.roles);
    expect(new Set(roles.map(({ url }) => new URL(url).hostname))).toEqual(new Set(['127.0.0.2']));
    expect(existsSync(join(out, 'logs', 'gateway.log'))).toBe(true);
    expect(childrenOf(process.pid).filter(({ commandLine }) => commandLine.includes(serviceEntry))).toEqual([]);
  });
});
