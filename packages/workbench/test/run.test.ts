import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReport, renderPage, summaryTable } from '@topo-bench/report';
import { openRun } from '@topo-bench/results';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import type { ExperimentCell, RunEvent } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { open, reopen } from '../src/index.ts';
import { onFake, shop, withText } from './fixtures/shop.ts';

const isLoad = (line: string): boolean => line.startsWith('measure');

describe('an estimate', () => {
  it('counts time and processes of every cell, and measures nothing', async () => {
    const { setting, log, timesClosed } = onFake();
    const { cells, seconds, maxSeconds, open: left } = await (await open(shop())).estimate(setting.backends);
    // The backend in memory takes a second for a deployment and one for a load, and at most twice as long.
    expect(cells.map(({ cell, ...one }) => [cell.levels.architecture, one])).toEqual([
      // Gateway, central entity and two services; or gateway, two services, and a sidecar of each of the three.
      ['central-entity', { processes: 4, seconds: 2 }],
      ['sidecar', { processes: cells[1]?.cell.plan.roles.length, seconds: 2 }],
    ]);
    expect([seconds, left, log, timesClosed()]).toEqual([12, undefined, [], 1]);
    expect(maxSeconds).toBeGreaterThanOrEqual(24);
  });

  it('of a run to continue has the repetitions that it lacks', async () => {
    const { setting } = onFake();
    await (await open(shop(), { set: { repetitions: 1 } })).run(setting);
    const bench = await reopen(setting.folder, { repetitions: 3 });
    const { seconds, open: left } = await bench.estimate(onFake().setting.backends);
    expect([seconds, left]).toEqual([8, 4]);
  });
});

describe('a run', () => {
  it('measures every repetition, with an event for each', async () => {
    const { setting, openBeds, timesClosed } = onFake();
    const events: RunEvent[] = [];
    const run = await (await open(shop())).run({ ...setting, onEvent: (event) => events.push(event) });
    expect(events[0]).toMatchObject({ kind: 'started', runDir: setting.folder, repetitions: 6, finished: 0 });
    const finished = events.flatMap((event) => (event.kind === 'repetition' ? [event.finished] : []));
    expect(finished).toEqual([1, 2, 3, 4, 5, 6]);
    expect([run.folder, run.cells.length, run.failure]).toEqual([setting.folder, 6, undefined]);
    expect(run.record).toMatchObject({ status: 'finished', command: ['run', 'shop'] });
    expect([openBeds(), timesClosed()]).toEqual([0, 1]);
  });

  it('that is cancelled keeps what is finished and tears everything down; reopened, it measures the rest', async () => {
    const controller = new AbortController();
    let loads = 0;
    const first = onFake({ onMeasure: () => ++loads === 4 && controller.abort() });
    const cancelled = (await open(shop())).run({ ...first.setting, signal: controller.signal });
    await expect(cancelled).rejects.toMatchObject({
      code: 'TB_INTERRUPTED',
      hint: expect.stringContaining('--resume'),
    });
    expect([first.openBeds(), first.timesClosed()]).toEqual([0, 1]);
    const { record, cells } = await openRun(first.setting.folder);
    expect([record.status, cells.length]).toEqual(['interrupted', 3]);

    const second = onFake();
    const run = await (await reopen(first.setting.folder)).run(second.setting);
    expect([run.folder, run.cells.length, second.log.filter(isLoad).length]).toEqual([first.setting.folder, 6, 3]);
    expect(run.cells.slice(0, 3)).toEqual(cells);
  });

  it('that is cancelled before it starts leaves no folder', async () => {
    const { setting, log } = onFake();
    const signal = AbortSignal.abort();
    await expect((await open(shop())).run({ ...setting, signal })).rejects.toMatchObject({ code: 'TB_INTERRUPTED' });
    await expect(openRun(setting.folder)).rejects.toMatchObject({ code: 'TB_RUN_FOLDER_NOT_FOUND' });
    expect(log).toEqual([]);
  });

  it('continues with the texts of its record, whatever was opened since', async () => {
    const { setting } = onFake();
    await (await open(shop(), { only: { architecture: ['sidecar'] }, set: { repetitions: 1 } })).run(setting);
    const bench = await reopen(setting.folder, { repetitions: 2 });
    expect(bench.cells.map(({ levels }) => levels.architecture)).toEqual(['sidecar']);
    expect((await bench.run(onFake().setting)).record.extendedFrom).toEqual([1]);
    await expect(reopen(setting.folder, { repetitions: 1 })).rejects.toMatchObject({ code: 'TB_USAGE' });
  });

  it('has a failure for cells without a valid repetition', async () => {
    const isBroken = ({ levels }: ExperimentCell): boolean => levels.architecture === 'sidecar';
    const { failure } = await (await open(shop())).run(onFake({ isBroken }).setting);
    expect(failure).toMatchObject({
      code: 'TB_EXPERIMENT_NO_VALID_REPETITION',
      message: 'one cell has no valid repetition: sidecar · 2 services · 10 req/s',
    });
  });
});

describe('a search for the max rate', () => {
  /** The response time of a queue with one server. */
  const timesUs = ({ levels }: ExperimentCell) => [1e6 / Math.max(1e-9, 100 - Number(levels.rate))];

  it('brackets the rate at which the bound is reached, and is continued as a search', async () => {
    const bench = await (await open(shop())).searching('p95<50ms', '--find-max');
    const first = onFake({ timesUs });
    const run = await bench.run(first.setting);
    const rates = run.record.search?.probes.map(({ factors, met }) => ({ rate: Number(factors.rate), met })) ?? [];
    expect(Math.max(...rates.filter(({ met }) => met).map(({ rate }) => rate))).toBeLessThan(80);
    expect(Math.min(...rates.filter(({ met }) => !met).map(({ rate }) => rate))).toBeGreaterThanOrEqual(80);
    const again = await reopen(first.setting.folder);
    const second = onFake({ timesUs });
    expect(again.search).toBe('p95<50ms');
    expect((await again.run(second.setting)).cells).toEqual(run.cells);
    expect(second.log.filter(isLoad)).toEqual([]);
  });

  it('is refused by the name that its caller gives it', async () => {
    const bench = await open(withText('rate: 10', 'driver: autocannon, connections: 2'));
    await expect(bench.searching('p95<50ms', 'the search')).rejects.toMatchObject({
      code: 'TB_EXPERIMENT_INTERLEAVED',
      message: expect.stringContaining('the search needs the open driver'),
    });
    await expect(bench.searching('p59<50ms', 'the search')).rejects.toMatchObject({ code: 'TB_LOAD_CONDITION' });
  });
});

describe('a report', () => {
  it('of the repetitions in memory equals that of the run folder', async () => {
    const timesUs = ({ levels }: ExperimentCell, repetition: number) =>
      [10, 11, 15].map((ms) => ms * 1e3 * (levels.architecture === 'sidecar' ? 1.5 : 1) + 100 * repetition);
    // One of the repetitions is measured again, and one is invalid: both are in the report.
    const isForeign = ({ levels }: ExperimentCell, repetition: number) =>
      levels.architecture === 'sidecar' && repetition === 2;
    const isBroken = ({ levels }: ExperimentCell, repetition: number) =>
      levels.architecture === 'central-entity' && repetition === 3;
    const run = await (await open(shop())).run(onFake({ timesUs, isForeign, isBroken }).setting);
    const inMemory = await run.report({ boxPlots: true });
    const ofFolder = await readReport([run.folder], studyReportOf, { boxPlots: true, metrics: studyMetrics });
    expect(inMemory.groups).toEqual(ofFolder.groups);
    expect(inMemory.groups.map(({ figures, invalid }) => [figures?.rtt.count, invalid.length])).toEqual([
      [6, 1],
      [9, 0],
    ]);
    const forms = [inMemory, ofFolder].map((report) => [
      renderPage(report, ''),
      summaryTable(report, { columns: 120, colours: false }),
    ]);
    expect(forms[0]).toEqual(forms[1]);
  });

  it('of the repetitions in memory needs no file of the run', async () => {
    const run = await (await open(shop())).run(onFake().setting);
    const cellsFile = join(run.folder, 'cells.json');
    const stored = readFileSync(cellsFile, 'utf8');
    writeFileSync(cellsFile, '');
    const { groups } = await run.report();
    writeFileSync(cellsFile, stored);
    expect(groups.map(({ valid }) => valid.length)).toEqual([3, 3]);
  });
});
