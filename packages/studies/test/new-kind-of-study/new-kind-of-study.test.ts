import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareWithin, MetricTable } from '@topo-bench/comparison';
import { describeCell } from '@topo-bench/core';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import { checkExperiment, resolveExperiment, runExperiment } from '@topo-bench/experiment';
import { measuredBackend } from '@topo-bench/measured';
import { readReport, renderMarkdown, renderPage, summaryTable } from '@topo-bench/report';
import { openRun } from '@topo-bench/results';
import type { Deployment, Runner } from '@topo-bench/runners';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KindOfStudy, studies as listed, studyReportFrom, studyReportOf } from '../../src/index.ts';
import { type TimerEntry, timer } from './timer-study.ts';

const studies: readonly KindOfStudy[] = [timer];

/** @param fields of the experiment */
function inputsOf(fields: string) {
  const head = 'apiVersion: topo-bench/v1\nkind: Experiment\nname: timers\ntopology: t.yaml\n';
  const topology = 'apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [{ generate: 1 }]\n';
  return {
    experiment: { file: 'e.yaml', text: `${head}${fields}\n` },
    topology: { file: 't.yaml', text: topology },
    choices: {},
  };
}

const problemsOf = (fields: string) =>
  checkExperiment(inputsOf(fields), studies).problems.map(({ line, code, message }) => `${line} ${code} ${message}`);

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
  it('has its field in experiment files, with defaults, units and problems at their places', () => {
    const { cells } = resolveExperiment(inputsOf('timer: {}'), studies);
    expect(cells.map(({ settings }) => settings)).toMatchObject([{ timer: { length: 5000 } }]);
    expect(problemsOf('timer: { length: 7 }')).toEqual([expect.stringMatching(/^5 TB_UNIT_INVALID timer\.length/)]);
    expect(problemsOf('timer: { lenght: 7ms }')).toEqual([
      expect.stringMatching(/^5 TB_SCHEMA_UNKNOWN_KEY unknown key "lenght" in timer/),
    ]);
  });

  it('checks its settings against those of every experiment', () => {
    expect(problemsOf('duration: 1s\ntimer: { length: 2s }')).toEqual([
      '6 TB_SCHEMA_INVALID the timer ends after the load',
    ]);
  });

  it('is run over its factor, and its cells are in the run folder', async () => {
    const lines: string[] = [];
    const inputs = inputsOf('timer: {}\nfactors: { timerLength: [5ms, 40ms] }\nrepetitions: 3');
    const { cells } = await runExperiment(resolveExperiment(inputs, studies), {
      folder: join(folder, 'run'),
      resume: false,
      version: '0.0.0',
      command: [],
      backend: measuredBackend({ studies, runnerNamed: async () => runner, logsDir: join(folder, 'logs') }),
      onEvent: (event) => event.kind === 'repetition' && lines.push(...timer.figures(event.entry)),
      signal: new AbortController().signal,
    });
    expect(cells.map(({ factors, validity }) => [factors.timerLength, validity.valid])).toHaveLength(6);
    expect(cells.map(({ factors }) => describeCell(factors))).toContain('a timer of 40 ms');
    expect(lines).toHaveLength(6);
    expect(stopped).toBe(6);
    const { record, cells: stored } = await openRun(join(folder, 'run'));
    expect(record.study).toBe('timer');
    expect(stored).toEqual(cells);
    const payloads = (stored as readonly TimerEntry[]).map(({ timer }) => timer);
    expect(payloads.every((payload) => payload && payload.lengthUs >= payload.wantedUs - 1000)).toBe(true);
  });

  it('is compared by its own metric, unless another one is named', async () => {
    const metrics = new MetricTable(studies.flatMap((study) => study.metrics ?? []));
    const { metric, cells } = compareWithin(await openRun(join(folder, 'run')), 'timerLength', { metrics });
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

  it('has its payload checked when a folder is read', async () => {
    const file = join(folder, 'run', 'cells.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"lengthUs":[\d.]+/, '"lengthUs":"long"'));
    await expect(openRun(join(folder, 'run'))).rejects.toMatchObject({
      code: 'TB_RUN_FOLDER_DAMAGED',
      message: expect.stringContaining('0.timer.lengthUs: '),
    });
    await writeFile(file, text);
  });

  it('is refused by a registry that does not list it', async () => {
    await expect(readReport([join(folder, 'run')], studyReportOf)).rejects.toMatchObject({
      code: 'TB_RUN_FOLDER_VERSION',
      message: expect.stringContaining('"timer", expected transfer, store, access, stream, routing'),
    });
  });

  it('takes no name that another kind has', () => {
    const { own } = timer.parts;
    expect(() => joinStudy({ kind: 'timer', factors: {} })).toThrow('takes a name of "timer"');
    expect(() => joinStudy({ kind: 'clock', factors: {}, ...(own && { own }) })).toThrow('takes a name of "timer"');
    expect(() => joinStudy({ kind: 'clock', factors: { rate: { scope: 'topology' } } })).toThrow('short name "rate"');
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
  for (const [i, expected] of [transfer, store, routing].entries()) {
    // Each report gets the drawings of its runs.
    expect({ ...reports[i], views: undefined }).toEqual({ ...expected, views: undefined });
  }
});
