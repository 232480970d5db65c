/** What a repetition keeps in order to explain its figures: two cells in turn on one deployment of real processes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRunner } from '@topo-bench/runners';
import { expect, it, vi } from 'vitest';
import { builtWorker } from '../loadgen/test/fixtures/built-worker.ts';
import { changedService } from './fixtures/changed-service.ts';
import { onlyHostReasons } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { runFiles } from './fixtures/run-files.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

vi.setConfig({ testTimeout: 120_000 });

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: small
services: [{ generate: 2 }]
`;
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: small
topology: topology.yaml
factors: { architecture: [sidecar], rate: [50, 80] }
repetitions: 1
deploy: round
load: { rate: 50, processes: 1, keepAwake: false }
duration: 1s
drain: 10s
warmup: { max: 1s, window: 250ms, requests: 50 }
traceHops: 100%
validity: { remeasure: 0% }
`;

const folder = temporaryFolder();
const worker = builtWorker();

it('records the order of cells, the warm-up, collections, turns, the timeline, and the turns of the gateway', async () => {
  const out = join(folder, 'run');
  const runner = await createRunner('local', { serviceEntry: await changedService(folder, []) });
  await runFiles({ experiment, topology }, { out, runner, workerPath: worker.path });
  // As read from the folder: the fields stand in the schema.
  const { cells, record } = await openRun(out);
  onlyHostReasons(cells);
  const { node, cores } = record.environment;
  expect(record.hosts).toEqual([expect.objectContaining({ node, cores })]);
  const [first, second] = [...cells].sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''));
  expect([cells.length, first?.deployment?.rank, second?.deployment?.rank]).toEqual([2, 1, 2]);
  const { durationUs = 0, finalRps = 0 } = first?.deployment?.warmUp ?? {};
  expect(durationUs).toBeGreaterThanOrEqual(500_000);
  expect(finalRps).toBeGreaterThan(0);
  expect(second?.deployment?.warmUp).toEqual({ durationUs, finalRps });

  const served = cells.map(({ outcomes }) => outcomes.completed);
  expect(Math.min(...served)).toBeGreaterThan(20);
  for (const kind of ['gateway', 'sidecar', 'service']) {
    const [before, later] = [first, second].map((cell) => cell?.processes?.[kind]);
    // Requests of the warm-up; then those of the first load as well.
    expect(before?.servedBefore?.min).toBeGreaterThan(0);
    expect(later?.servedBefore?.min).toBe((before?.servedBefore?.min ?? 0) + (first?.outcomes.completed ?? 0));
    for (const record of [before, later]) {
      expect(record?.collections?.minor.count).toBeGreaterThanOrEqual(0);
      expect(record?.eventLoop?.turns).toBeGreaterThan(20);
      expect(record?.eventLoop?.idleUs).toBeGreaterThan(0);
    }
  }

  for (const { processes, outcomes } of cells) {
    // Each role by name, with its own use and work; a kind is the sum of its roles.
    const { service, sidecar } = processes ?? {};
    expect(Object.keys(sidecar?.roles ?? {}).sort()).toEqual(['svc-1-sidecar', 'svc-2-sidecar']);
    expect(Object.keys(service?.roles ?? {}).sort()).toEqual(['svc-1', 'svc-2']);
    const ofRoles = Object.values(sidecar?.roles ?? {});
    for (const { served, messages, bytes, connections, wait } of ofRoles) {
      expect([served, messages]).toEqual([outcomes.completed, { received: served, sent: 2 * Number(served) }]);
      expect(bytes?.sent).toBeGreaterThan(100 * Number(served));
      expect(connections?.open).toBeGreaterThan(0);
      expect(wait?.mainThreadUs).toBeGreaterThanOrEqual(0);
    }
    const systemUs = ofRoles.reduce((sum, { cpu }) => sum + (cpu?.systemUs ?? Number.NaN), 0);
    expect(systemUs).toBeCloseTo(sidecar?.cpu?.systemUs ?? Number.NaN, -3);
    expect(sidecar?.cpu?.userUs).toBeGreaterThan(0);
  }

  for (const { timeline, resources } of cells) {
    // One second in intervals of 250 ms, of each kind of role and of the generator.
    expect(timeline?.intervalMs).toBe(250);
    expect(Object.keys(timeline?.roles ?? {}).sort()).toEqual(['gateway', 'generator', 'service', 'sidecar']);
    for (const [kind, { cpuPercent, busyShare, delayMs }] of Object.entries(timeline?.roles ?? {})) {
      expect([cpuPercent.length, busyShare.length, delayMs?.length], kind).toEqual([4, 4, 4]);
      const known = cpuPercent.filter((percent) => percent !== null);
      expect(known.length, kind).toBeGreaterThanOrEqual(3);
      // The host counts the same CPU time from outside, over a window that lasts until the last answer.
      const mean = known.reduce((sum, percent) => sum + percent, 0) / known.length;
      expect(mean, kind).toBeGreaterThan(0.4 * (resources[kind]?.cpuPercent ?? Number.NaN));
      expect(mean, kind).toBeLessThan(8 * (resources[kind]?.cpuPercent ?? Number.NaN));
    }
    expect(timeline?.host?.busyPercent.some((percent) => percent !== null && percent > 0)).toBe(true);
    expect(timeline?.host?.foreignPercent).toHaveLength(4);
    expect(timeline?.clockErrorMs).toBeLessThan(1);
  }

  const spans = readFileSync(join(out, 'spans', `${first?.samples?.match(/([^/]+)\.parquet$/)?.[1]}.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; role: string; kind: string; startUs: number; durationUs: number });
  const gateway = spans.filter(({ role }) => role === 'gateway');
  expect(gateway.filter(({ kind }) => kind === 'work')).toHaveLength(2 * (first?.outcomes.completed ?? 0));
  for (const id of new Set(gateway.map((span) => span.id))) {
    // The clock of the host is the same in all roles: other roles work between the two turns of the gateway.
    const [taken, answered] = gateway.filter((span) => span.id === id && span.kind === 'work');
    const others = spans.filter((span) => span.id === id && span.role !== 'gateway' && span.kind === 'work');
    expect(others).toHaveLength(2);
    for (const { startUs, durationUs } of others) {
      expect(startUs).toBeGreaterThan(taken?.startUs ?? Number.NaN);
      expect(startUs + durationUs).toBeLessThan(answered?.startUs ?? Number.NaN);
    }
  }
});
