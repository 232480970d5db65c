import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TopoBenchError } from '@topo-bench/core';
import { readReport } from '@topo-bench/report';
import { openRun, sustainedRates } from '@topo-bench/results';
import { studies, studyReportOf } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runFindMax } from '../../src/find-max/run-find-max.ts';
import { resolveExperiment } from '../../src/resolve-experiment.ts';
import { fakeBackend } from '../fixtures/fake-backend.ts';

const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n';
const text =
  'apiVersion: topo-bench/v1\nkind: Experiment\nname: test\ntopology: chain.yaml\n' +
  'factors: { architecture: [central-entity, sidecar] }\nload: { rate: 10 }\nrepetitions: 2\n';
const resolved = (topologyText = topology) =>
  resolveExperiment(
    {
      experiment: { file: 'test.yaml', text },
      topology: { file: 'chain.yaml', text: topologyText },
      choices: { set: { deploy: 'interleaved' } },
    },
    studies,
  );

/** Capacity of a queue with one server, per architecture, in req/s. */
const capacities: Record<string, number> = { 'central-entity': 90, sidecar: 230 };

/** The 95th percentile of the response time of M/M/1: −ln(0.05) / (µ − λ). */
function p95Us({ levels }: ExperimentCell): number {
  const spare = (capacities[String(levels.architecture)] as number) - Number(levels.rate);
  return spare <= 0 ? Number.POSITIVE_INFINITY : (-Math.log(0.05) / spare) * 1e6;
}

/** The rate at which that is 50 ms. */
const exactRps = (architecture: string): number => (capacities[architecture] as number) + Math.log(0.05) / 0.05;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-max-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Options {
  resume?: boolean;
  maxTimeUs?: number;
  /** Called with the number of loads so far. */
  onLoad?: (count: number, controller: AbortController) => void;
  /** From this load on, loads end only when they are aborted. */
  stallFrom?: number;
  /** In place of a chain of two services on one node, and what its links add to each time. */
  topologyText?: string;
  linksUs?: number;
  /** Factor of the times; probes have repetitions above 1000. */
  noise?: (repetition: number) => number;
}

async function findMax(options: Options = {}) {
  const { resume = false, maxTimeUs = 60e6, onLoad, stallFrom, noise = () => 1, topologyText, linksUs = 0 } = options;
  const controller = new AbortController();
  let count = 0;
  const pretend = fakeBackend({
    async onMeasure(_cell, _repetition, signal) {
      count++;
      if (stallFrom !== undefined && count >= stallFrom) await once(signal, 'abort');
      onLoad?.(count, controller);
    },
    timesUs: (cell, repetition) => [linksUs + p95Us(cell) * noise(repetition)],
  });
  const probes: string[] = [];
  const work = runFindMax(resolved(topologyText), {
    folder,
    resume,
    condition: 'p95<50ms',
    maxTimeUs,
    version: '0.0.0',
    command: ['run', 'test.yaml'],
    backend: pretend.backend,
    onEvent: (event) => event.kind === 'probe' && probes.push(`${event.cell.architecture} ${event.cell.rate}`),
    signal: controller.signal,
  });
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure as TopoBenchError,
  );
  return { error, probes, ...pretend };
}

async function found() {
  const { record, cells } = await openRun(folder);
  if (!record.search) throw new Error('no search in the record');
  return sustainedRates(record.search.condition, record.plannedCells, cells);
}

describe('run --find-max', () => {
  it('brackets, per architecture, the rate at which a queue reaches the bound', async () => {
    const { openBeds } = await findMax();
    const rates = await found();
    expect(rates.map(({ line }) => line.architecture)).toEqual(['central-entity', 'sidecar']);
    for (const { line, lowRps = Number.NaN, highRps = Number.NaN } of rates) {
      const exact = exactRps(String(line.architecture));
      expect(lowRps).toBeLessThan(exact);
      expect(highRps).toBeGreaterThan(exact);
      expect(highRps / lowRps).toBeLessThan(1.11);
    }
    expect(openBeds()).toBe(0);
    expect((await openRun(folder)).record.status).toBe('finished');
  });

  it('searches the architectures in turns, all deployed together, and confirms each rate six times', async () => {
    const { probes, log } = await findMax();
    expect(probes.slice(0, 4)).toEqual(['central-entity 10', 'sidecar 10', 'central-entity 20', 'sidecar 20']);
    expect(new Set(log.filter((one) => one.startsWith('deploy')))).toEqual(
      new Set(['deploy central-entity/2+sidecar/2']),
    );
    const { cells } = await openRun(folder);
    expect(cells).toHaveLength(2 * 2 * 6);
    const firstRound = cells.filter(({ repetition }) => repetition === 1);
    expect(new Set(firstRound.map(({ factors }) => factors.architecture)).size).toBe(2);
  });

  it('measures both ends of every interval in each round of the confirmation', async () => {
    await findMax();
    const rates = await found();
    const { cells } = await openRun(folder);
    for (const { line, lowRps, highRps } of rates) {
      const own = cells.filter(({ factors }) => factors.architecture === line.architecture);
      const ofEnd = (rate: number | undefined) =>
        own.flatMap(({ factors, repetition }) => (factors.rate === rate ? [repetition] : [])).sort();
      expect(ofEnd(lowRps)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(ofEnd(highRps)).toEqual([1, 2, 3, 4, 5, 6]);
    }
    // In the order measured: no round begins before the ends of all lines have had the one before.
    const rounds = cells.map(({ repetition }) => repetition);
    expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
    expect(cells.filter(({ repetition }) => repetition === 1)).toHaveLength(4);
  });

  it('moves an end that its repetitions do not show', async () => {
    // The loads of the search are lucky: they take less time than the repetitions will.
    await findMax({ noise: (repetition) => (repetition > 1000 ? 0.85 : 1) });
    const [central] = await found();
    const exact = exactRps('central-entity');
    expect(central?.rates.length).toBeGreaterThan(2);
    expect(central?.highRps).toBeGreaterThan(exact);
    expect(central?.lowRps).toBeLessThan(exact);
  });

  it('continues after an interruption without measuring a probe or repetition twice', async () => {
    await findMax();
    const whole = await openRun(folder);
    await rm(folder, { recursive: true });
    const first = await findMax({ onLoad: (count, controller) => count === 9 && controller.abort() });
    expect(first.error).toMatchObject({ code: 'TB_INTERRUPTED', hint: expect.stringContaining('--resume') });
    expect(first.openBeds()).toBe(0);
    const second = await findMax({ resume: true, onLoad: (count, controller) => count === 20 && controller.abort() });
    expect(second.error?.code).toBe('TB_INTERRUPTED');
    const third = await findMax({ resume: true });
    expect(third.error).toBeUndefined();
    const { record, cells } = await openRun(folder);
    expect(first.probes.length + second.probes.length + third.probes.length).toBe(whole.record.search?.probes.length);
    const byLine = (list: typeof whole) =>
      ['central-entity', 'sidecar'].map((name) =>
        list.record.search?.probes.filter(({ factors }) => factors.architecture === name),
      );
    expect(byLine({ ...whole, record, cells })).toEqual(byLine(whole));
    expect(record.plannedCells).toEqual(whole.record.plannedCells);
    expect(cells).toHaveLength(whole.cells.length);
  });

  it('ends after one load of each line whose links alone take longer than the bound, and names them', async () => {
    // Both architectures cross the link twice: to the second service, and back with its answer or the report.
    const apart = (delay: string) =>
      'apiVersion: topo-bench/v1\nkind: Topology\nname: chain\nservices: [{ generate: 2 }]\n' +
      `nodes: [{ name: a, region: eu }, { name: b, region: us }]\nlinks: [{ from: eu, to: us, delay: ${delay} }]\n`;
    const { probes, error } = await findMax({ topologyText: apart('60ms'), linksUs: 120_000 });
    expect(error).toBeUndefined();
    expect(probes).toEqual(['central-entity 2', 'sidecar 2']);
    const run = await openRun(folder);
    expect([run.record.status, run.record.plannedCells, run.cells]).toEqual(['finished', [], []]);
    expect(run.record.search?.unreachable).toEqual(
      ['central-entity', 'sidecar'].map((architecture) => ({
        factors: { architecture, services: 2 },
        linksUs: 120_000,
      })),
    );
    const { study } = await readReport([folder], studyReportOf);
    expect(study.answer?.()).toEqual([
      expect.stringMatching(
        /^With 2 services, central-entity meets p95<50ms at no rate: the links of a request alone take 120 ms; at 2 req\/s p95 is 154 ms\.$/,
      ),
      expect.stringMatching(
        /^With 2 services, sidecar meets p95<50ms at no rate: the links of a request alone take 120 ms; /,
      ),
    ]);
    await rm(folder, { recursive: true });
    const within = await findMax({ topologyText: apart('10ms'), linksUs: 20_000 });
    expect(within.probes.slice(0, 2)).toEqual(['central-entity 10', 'sidecar 10']);
    expect((await openRun(folder)).record.search?.unreachable).toBeUndefined();
  });

  it('stops at the time limit, reports it, and leaves open what was not measured', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    onTestFinished(() => void vi.restoreAllMocks());
    const busy = (count: number) => {
      if (count === 3) passedMs = 3600e3;
    };
    await findMax({ maxTimeUs: 3600e6, onLoad: busy });
    const { record } = await openRun(folder);
    expect(record.status).toBe('finished');
    expect(record.search?.outOfTime).toBe(true);
    expect((await found()).map(({ highRps }) => highRps)).toEqual([undefined, undefined]);
    await findMax({ resume: true });
    expect((await openRun(folder)).record.search?.outOfTime).toBeUndefined();
  });

  it('continues, once resumed, a search that the time limit cut off, and measures no load twice', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    onTestFinished(() => clock.mockRestore());
    // At 10 req/s, central-entity fails by a little, so the search would continue with half of that.
    const noise = () => 1.38;
    const exact = (architecture: string) => (capacities[architecture] as number) + (Math.log(0.05) * 1.38) / 0.05;
    const late = (count: number) => {
      if (count === 3) passedMs = 31e3;
    };
    const first = await findMax({ noise, onLoad: late });
    const central = first.probes.filter((probe) => probe.startsWith('central'));
    expect(central).toEqual(['central-entity 10', 'central-entity 10']);
    const before = await openRun(folder);
    expect(before.record.search?.outOfTime).toBe(true);
    expect((await found()).map(({ lowRps, highRps }) => [lowRps, highRps])).toEqual([
      [undefined, 10],
      [expect.any(Number), undefined],
    ]);
    const second = await findMax({ noise, resume: true });
    expect(second.probes).toContain('central-entity 5');
    expect(second.probes).not.toContain('central-entity 10');
    const { record } = await openRun(folder);
    expect(record.search?.outOfTime).toBeUndefined();
    expect(record.plannedCells.slice(0, before.record.plannedCells.length)).toEqual(before.record.plannedCells);
    expect(new Set(record.plannedCells.map((levels) => JSON.stringify(levels))).size).toBe(record.plannedCells.length);
    expect(record.search?.probes).toHaveLength(first.probes.length + second.probes.length);
    const rates = await found();
    expect(rates.map(({ line }) => line.architecture)).toEqual(['central-entity', 'sidecar']);
    for (const { line, lowRps = Number.NaN, highRps = Number.NaN } of rates) {
      expect(lowRps).toBeLessThan(exact(String(line.architecture)));
      expect(highRps).toBeGreaterThan(exact(String(line.architecture)));
      expect(highRps / lowRps).toBeLessThan(1.11);
    }
  });

  it('cuts off a load that takes longer than the time limit, and keeps what it found before', async () => {
    const startMs = performance.now();
    const { error, openBeds } = await findMax({ maxTimeUs: 300e3, stallFrom: 3 });
    expect(error).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(5000);
    expect(openBeds()).toBe(0);
    const { record } = await openRun(folder);
    expect([record.status, record.search?.outOfTime, record.search?.probes.length]).toEqual(['finished', true, 2]);
    expect((await findMax({ resume: true })).error).toBeUndefined();
    expect((await openRun(folder)).record.search?.outOfTime).toBeUndefined();
    expect((await found()).map(({ lowRps = 0 }) => lowRps > 20)).toEqual([true, true]);
  });
});
