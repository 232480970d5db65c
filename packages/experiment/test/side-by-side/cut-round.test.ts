/** A round of a gate that takes longer than the time limit: it is cut off, and its finished pairs count. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRun } from '@topo-bench/results';
import { studies } from '@topo-bench/studies';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resolveExperiment } from '../../src/resolve-experiment.ts';
import { runSideBySide, type SideBySideOptions } from '../../src/side-by-side/run-side-by-side.ts';
import { fakeBackend } from '../fixtures/fake-backend.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-cut-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Two cells, so that a round has two pairs. */
function resolved(stallFrom: number, controller: AbortController, interrupt: boolean) {
  const text =
    'apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n' +
    'factors: { architecture: [none, sidecar] }\n';
  const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n';
  const whole = resolveExperiment(
    { experiment: { file: 'test.yaml', text }, topology: { file: 'chain.yaml', text: topology }, choices: {} },
    studies,
  );
  let measured = 0;
  const { backend, openBeds } = fakeBackend({
    async onMeasure(_cell, _repetition, signal) {
      if (++measured < 2 * stallFrom - 1) return;
      if (interrupt) controller.abort();
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    },
  });
  return { sides: { baseline: whole, candidate: whole }, backend, openBeds };
}

async function gate({ stallFrom = 1e9, maxTimeUs = 60e6, interrupt = false, rounds = 1e9 }) {
  const controller = new AbortController();
  const { sides, backend, openBeds } = resolved(stallFrom, controller, interrupt);
  const asked: number[] = [];
  const options: SideBySideOptions = {
    folder,
    maxTimeUs,
    backend,
    signal: controller.signal,
    version: '0.0.0',
    command: ['gate'],
    refs: { baseline: 'a', candidate: 'b' },
    enough: ({ candidate }, { seconds }) => {
      asked.push(seconds);
      return candidate.record.repetitions >= rounds;
    },
  };
  const error = await runSideBySide(sides, options).then(
    () => undefined,
    (reason) => reason,
  );
  const { record, cells } = await openRun(join(folder, 'candidate'));
  return { error, record, cells, asked, openBeds };
}

it('cuts off a round at the limit, keeps its finished pairs, and judges with the time it took', async () => {
  const { error, record, cells, asked, openBeds } = await gate({ stallFrom: 4, maxTimeUs: 3e6 });
  expect(error).toBeUndefined();
  expect(openBeds()).toBe(0);
  expect([record.status, record.repetitions]).toEqual(['finished', 1]);
  expect(cells.map(({ repetition }) => repetition)).toEqual([1, 1, 2]);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toBeGreaterThanOrEqual(2.9);
});

it('ends as interrupted by an interrupt before the limit', async () => {
  const { error, record, openBeds } = await gate({ stallFrom: 4, interrupt: true });
  expect(error).toMatchObject({ code: 'TB_INTERRUPTED' });
  expect(openBeds()).toBe(0);
  expect(record.status).toBe('interrupted');
});

it('measures the first round whole, however short the limit', async () => {
  const { error, record, cells } = await gate({ maxTimeUs: 1 });
  expect(error).toBeUndefined();
  expect([record.status, record.repetitions, cells.length]).toEqual(['finished', 1, 2]);
});
