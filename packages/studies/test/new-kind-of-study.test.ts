import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithin, MetricTable } from '@topo-bench/comparison';
import { resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { measuredBackend } from '@topo-bench/measured';
import { readReport, renderMarkdown, renderPage, summaryTable } from '@topo-bench/report';
import { openRun } from '@topo-bench/results';
import type { Deployment, Runner } from '@topo-bench/runners';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KindOfStudy, studies as listed, studyReportFrom, studyReportOf } from '../src/index.ts';
import { timer } from './fixtures/timer-study.ts';

const studies: readonly KindOfStudy[] = [timer];
const inputs = {
  experiment: {
    file: 'e.yaml',
    text: `apiVersion: topo-bench/v1
kind: Experiment
name: timers
topology: t.yaml
factors: { duration: [5ms, 40ms] }
repetitions: 3
`,
  },
  topology: {
    file: 't.yaml',
    text: 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ generate: 1 }]\n',
  },
  choices: {},
};
let stopped = 0;
const nothing = { hosts: [], onDeath: () => undefined, stop: async () => void stopped++ } as unknown as Deployment;
const runner: Runner = { check: async () => [], start: async () => nothing };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-studies-'));
});
afterAll(() => rm(folder, { recursive: true }));

const lengthOf = /timer\.length of 40 ms: \d+\.\d ms/;

describe('a kind of study that is added outside of every package', () => {
  it('is run, and its cells are in the run folder', async () => {
    const lines: string[] = [];
    const { cells } = await runExperiment(resolveExperiment(inputs, studies), {
      folder: join(folder, 'run'),
      resume: false,
      version: '0.0.0',
      command: [],
      backend: measuredBackend({ studies, runnerNamed: async () => runner, logsDir: join(folder, 'logs') }),
      onEvent: (event) => event.kind === 'repetition' && lines.push(...timer.figures(event.entry)),
      signal: new AbortController().signal,
    });
    expect(cells.map(({ factors, validity }) => [factors.duration, validity.valid])).toHaveLength(6);
    expect(lines).toHaveLength(6);
    expect(stopped).toBe(6);
    const { record, cells: stored } = await openRun(join(folder, 'run'));
    expect(record.study).toBe('timer');
    expect(stored).toEqual(cells);
  });

  it('is compared by its own metric, unless another one is named', async () => {
    const metrics = new MetricTable(studies.flatMap((study) => study.metrics ?? []));
    const { metric, cells } = compareWithin(await openRun(join(folder, 'run')), 'duration', { metrics });
    expect(metric.name).toBe('timer.length');
    expect(cells.map(({ candidate }) => candidate > 39_000)).toEqual([true]);
  });

  it('is reported under its own name, in every form', async () => {
    const report = await readReport([join(folder, 'run')], studyReportFrom(studies));
    expect(renderMarkdown(report)).toMatch(lengthOf);
    expect(renderPage(report, '')).toMatch(/<h2 id="timer-title">Timer<\/h2>/);
    expect(renderPage(report, '')).toMatch(lengthOf);
    expect(summaryTable(report, { columns: 100, colours: false })).toMatch(lengthOf);
  });

  it('is refused by a registry that does not list it', async () => {
    await expect(readReport([join(folder, 'run')], studyReportOf)).rejects.toMatchObject({
      code: 'TB_RUN_FOLDER_VERSION',
      message: expect.stringContaining('"timer", expected transfer, store, access, stream, routing'),
    });
  });
});

it('run folders of older versions name no kind: their settings do', async () => {
  const run = await openRun(join(folder, 'run'));
  const older = (experiment: object) => [{ ...run, record: { ...run.record, study: undefined, experiment } }];
  const reportOf = async (experiment: object) => studyReportOf(older(experiment) as never);
  const reports = await Promise.all([reportOf({ flight: {} }), reportOf({ persistence: {} }), reportOf({})]);
  const [transfer, store, routing] = await Promise.all(
    ['transfer', 'store', 'routing'].map((kind) => listed.find((study) => study.kind === kind)?.report()),
  );
  expect(reports[0]).toBe(transfer);
  expect(reports[1]).toBe(store);
  expect(reports[2]).toBe(routing);
});
