/**
 * The CPU time of a load ends with its last answer, in every kind of study with processes: usage is read after the
 * drain and before the results are collected. Real roles and generators; the last message of a generator is held back,
 * as if its results took that long to arrive.
 */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { type Launcher, launcherNamed } from '@topo-bench/loadgen';
import { measuredBackend } from '@topo-bench/measured';
import { createRunner, type Runner } from '@topo-bench/runners';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { studies } from '@topo-bench/studies';
import { beforeAll, expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const header = 'apiVersion: topo-bench/v1\n';
const topologyOf = (service: string): string => `${header}kind: Topology\nname: one\nservices: [${service}]\n`;
const experimentOf = (fields: string): string => `${header}kind: Experiment
name: one
topology: topology.yaml
repetitions: 1
warmup: { max: 0s }
validity: { remeasure: 0%, maxErrorShare: 100% }
${fields}`;
const load = 'load: { rate: 40, processes: 1, keepAwake: false }\nduration: 300ms\ndrain: 10s\n';

const cases: [name: string, service: string, fields: string][] = [
  ['requests through the gateway', '{ name: a }', load],
  [
    'requests in turns',
    '{ name: a }',
    `${load}deploy: interleaved\nturns: { slice: 100ms, gap: 50ms }\nfactors: { architecture: [none, sidecar] }\n`,
  ],
  ['reads and writes of a store', '{ name: a, persistence: { store: sql-indexed, rows: 100 } }', load],
  [
    'bulk transfers',
    '{ name: a, arrow: { flight: {}, columns: [{ name: a, type: int64 }] } }',
    'load: { driver: flight }\nflight: { streams: 1, rows: 1000, batchRows: 100 }\n',
  ],
];

const folder = temporaryFolder();
const worker = builtWorker();
let serviceEntry: string;
let runs = 0;
beforeAll(async () => {
  serviceEntry = await changedService(folder, []);
});

/** Reads of usage that have no options: those of the load's window. */
function watchedRunner(runner: Runner, events: string[]): Runner {
  return {
    check: (plan) => runner.check(plan),
    async start(...args) {
      const deployment = await runner.start(...args);
      const usage = deployment.usage.bind(deployment);
      deployment.usage = (options) => {
        if (!options) events.push('usage');
        return usage(options);
      };
      return deployment;
    },
  };
}

/** Generators whose results arrive once usage has been read after the drain, or after three seconds. */
function slowCollection(launcher: Launcher, events: string[]): Launcher {
  const isReadSinceDrain = (): boolean => events.lastIndexOf('usage') > events.lastIndexOf('drained');
  return {
    isRemote: launcher.isRemote,
    keepAwake: () => launcher.keepAwake(),
    async launch(parts, signal) {
      const links = await launcher.launch(parts, signal);
      return links.map((link) => ({
        name: link.name,
        ...(link.host && { host: link.host }),
        send: (message) => link.send(message),
        prioritise: (threads) => link.prioritise(threads),
        end: () => link.end(),
        listen: ({ onMessage, onDeath }) =>
          link.listen({
            onDeath,
            async onMessage(message) {
              if (message.type === 'drained') events.push('drained');
              if (message.type === 'done') {
                for (let tries = 0; tries < 150 && !isReadSinceDrain(); tries++) await sleep(20);
                events.push('collected');
              }
              onMessage(message);
            },
          }),
      }));
    },
  };
}

async function measured(service: string, fields: string, serverUrls: Record<string, string>): Promise<string[]> {
  const resolved = resolveExperiment(
    {
      experiment: { file: 'experiment.yaml', text: experimentOf(fields) },
      topology: { file: 'topology.yaml', text: topologyOf(service) },
      choices: {},
    },
    studies,
  );
  const out = join(folder, `run-${runs++}`);
  const events: string[] = [];
  const runner = watchedRunner(await createRunner('local', { serviceEntry }), events);
  await runExperiment(resolved, {
    folder: out,
    resume: false,
    version: '0.0.0',
    command: [],
    backend: measuredBackend({
      studies,
      runnerNamed: async () => runner,
      logsDir: join(out, 'logs'),
      launcher: slowCollection(launcherNamed('processes', { workerPath: worker.path }), events),
      serverUrls,
    }),
    signal: new AbortController().signal,
  });
  return events;
}

it.for(cases)('is read before results are collected: %s', async ([_, service, fields], { skip }) => {
  const needsStore = service.includes('persistence');
  let server: StoreServer | undefined;
  try {
    if (needsStore) server = await startServer({ engine: 'postgresql' });
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_STORE_NO_SERVER' || process.env.CI) throw error;
    return skip(error.message);
  }
  try {
    const events = await measured(service, fields, server ? { postgresql: server.url } : {});
    const [drained, collected] = [events.lastIndexOf('drained'), events.indexOf('collected')];
    expect(drained).toBeGreaterThan(-1);
    expect(collected).toBeGreaterThan(drained);
    expect(events.slice(drained, collected)).toContain('usage');
  } finally {
    await server?.stop();
  }
});
