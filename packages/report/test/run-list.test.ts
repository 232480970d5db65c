/** A list of runs: order, equal set-ups, changes and their marks, unreadable folders, and its three forms. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { describe, expect, test } from 'vitest';
import {
  changeBetween,
  findRunFolders,
  type ListedRun,
  type RunList,
  readRunList,
  runListJson,
  runListPage,
  runListText,
} from '../src/run-list/index.ts';
import type { Series } from '../src/run-list/run-list.ts';
import { figureName } from '../src/run-list/run-list-texts.ts';
import { sparkText } from '../src/run-list/sparkline.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

interface RunAt {
  day: number;
  /** Median RTT of each repetition, in ms. */
  medians: number[];
  version?: string;
  cpuModel?: string;
  /** Whether the generator had real-time priority. */
  priority?: boolean;
  /** One side of a gate. */
  side?: string;
}

/** Writes a run of one cell whose medians are given. */
async function writeRun(folder: string, run: RunAt): Promise<void> {
  const { day, medians, version = '0.1.0', cpuModel = 'A', priority, side } = run;
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    services: [5],
    rates: [100],
    repetitions: medians.length,
    requests: 20,
    change: (cell) => {
      const medianUs = 1e3 * (medians[cell.repetition - 1] as number);
      const changed = { ...cell, rtt: { ...cell.rtt, medianUs, p95Us: 2 * medianUs } };
      return priority === undefined ? changed : { ...changed, generator: { realTimePriority: priority } };
    },
  });
  const path = join(folder, 'run.json');
  const record = JSON.parse(await readFile(path, 'utf8'));
  record.startedAt = `2025-02-0${day}T10:00:00.000Z`;
  Object.assign(record.environment, { topoBench: version, cpuModel });
  if (side !== undefined) record.sideBySide = { id: randomUUID(), side, ref: 'main' };
  await writeFile(path, JSON.stringify(record));
}

async function listOf(...runs: RunAt[]): Promise<{ list: RunList; folder: string }> {
  const folder = await temporaryFolder();
  for (const [at, run] of runs.entries()) await writeRun(join(folder, `r${at}`), run);
  return { folder, list: await readRunList(await findRunFolders([folder]), studyReportOf, studyMetrics) };
}

const six = (middle: number): number[] => [0.98, 0.99, 0.995, 1.005, 1.01, 1.02].map((factor) => factor * middle);

describe('runs of one experiment', () => {
  test('are in the order of time, and each is compared with the run before', async () => {
    const { list } = await listOf(
      { day: 3, medians: six(13), version: '0.2.0' },
      { day: 1, medians: six(10) },
      { day: 2, medians: six(10.5) },
    );
    expect(list.runs.map(({ startedAt }) => startedAt.slice(8, 10))).toEqual(['01', '02', '03']);
    const [series] = list.series;
    expect(list.series).toHaveLength(1);
    expect(series?.points.map(({ figure }) => Math.round(figure.value))).toEqual([10_000, 10_500, 13_000]);
    expect(series?.points.map(({ figure }) => figure.kind)).toEqual(['interval', 'interval', 'interval']);
    expect(series?.points.map(({ p95 }) => Math.round(p95?.value ?? 0))).toEqual([20_000, 21_000, 26_000]);
    expect(series?.points.map(({ change }) => change?.mark)).toEqual([undefined, 'usual', 'beyond']);
    expect(series?.points[2]?.change?.percent).toBeCloseTo(100 * (13 / 10.5 - 1), 6);
    expect(series?.points[2]?.change?.before.startedAt).toContain('2025-02-02');
  });

  test('with another set-up are not compared, and the list names the difference', async () => {
    const { list } = await listOf(
      { day: 1, medians: six(10) },
      { day: 2, medians: six(20), cpuModel: 'B' },
      { day: 3, medians: six(10.1) },
    );
    expect(list.runs.map(({ setup }) => setup.number)).toEqual([1, 2, 1]);
    const changes = list.series[0]?.points.map(({ change }) => change?.before.startedAt.slice(8, 10));
    expect(changes).toEqual([undefined, undefined, '01']);
    expect(runListText(list, { columns: 200, colours: false })).toContain(
      'Set-up 2, not compared with set-up 1: machine differs: cpuModel A → B.',
    );
    const points = list.series[0]?.points ?? [];
    expect(sparkText(points)).toMatch(/^[▁-█]{2}$/);
    expect(sparkText(points.slice(0, 2))).toBe('');
    expect(sparkText(Array(100).fill(points[0]))).toHaveLength(40);
  });

  test('with other privileges are not compared, even when an earlier run measured nothing', async () => {
    const { list } = await listOf(
      { day: 1, medians: [] },
      { day: 2, medians: six(10), priority: true },
      { day: 3, medians: six(13), priority: false },
      { day: 4, medians: six(13), priority: false },
    );
    expect(list.runs.map(({ setup }) => setup.number)).toEqual([1, 1, 2, 2]);
    expect(list.runs[2]?.setup.differences).toEqual([
      'real-time priority of the load generator: yes in set-up 1, no here',
    ]);
  });

  test('are not compared with a side of a gate, which shares the machine with the other side', async () => {
    const { list } = await listOf(
      { day: 1, medians: six(10) },
      { day: 2, medians: six(13), side: 'baseline' },
      { day: 3, medians: six(13), side: 'candidate' },
    );
    expect(list.runs.map(({ setup }) => setup.number)).toEqual([1, 2, 2]);
    expect(list.runs[1]?.setup.differences).toEqual(['an ordinary run → a side of a gate']);
  });

  test('another version or number of repetitions is no other set-up', async () => {
    const { list } = await listOf({ day: 1, medians: six(10) }, { day: 2, medians: [10, 10.1, 9.9], version: '0.9.0' });
    expect(list.runs.map(({ setup }) => setup.number)).toEqual([1, 1]);
    const last = list.series[0]?.points[1];
    expect([last?.figure.kind, last?.change?.mark]).toEqual(['range', 'covered']);
  });
});

describe('a change', () => {
  const run = {} as ListedRun;
  const spread = (value: number, low: number, high: number) => ({
    value,
    low,
    high,
    kind: 'interval' as const,
    values: [],
  });

  test.each([
    ['the earlier figure at the end of the interval', 10, [10.5, 10, 11], 'covered'],
    ['11% more, not covered', 10, [11.1, 11, 11.2], 'usual'],
    ['11.1% more, not covered', 10, [11.11, 11, 11.2], 'beyond'],
    ['the same ratio downwards', 11.1, [10, 9.9, 10.1], 'usual'],
    ['a little beyond it downwards', 11.2, [10, 9.9, 10.1], 'beyond'],
    ['a doubled figure with a wide interval', 10, [20, 9, 31], 'covered'],
  ] as const)('%s', (_, earlier, [value, low, high], mark) => {
    expect(changeBetween(run, spread(earlier, earlier, earlier), spread(value, low, high)).mark).toBe(mark);
  });
});

test('a damaged run and one of another version do not hide the others', async () => {
  const { folder } = await listOf({ day: 1, medians: six(10) });
  await mkdir(join(folder, 'broken'));
  await writeFile(join(folder, 'broken', 'run.json'), '{');
  await mkdir(join(folder, 'empty'));
  await writeRun(join(folder, 'odd'), { day: 2, medians: six(10) });
  await rm(join(folder, 'odd', 'cells.json'));
  await mkdir(join(folder, 'odd', 'cells.json'));
  const list = await readRunList(await findRunFolders([folder]), studyReportOf, studyMetrics);
  expect(list.runs).toHaveLength(1);
  expect(list.unreadable).toMatchObject([
    { folder: join(folder, 'broken'), problem: expect.stringContaining('damaged') },
    { folder: join(folder, 'odd'), problem: expect.stringContaining('cells.json') },
  ]);
});

test('a folder without runs is an error with a way out', async () => {
  const { folder } = await listOf({ day: 1, medians: six(10) });
  await mkdir(join(folder, 'r0', 'nothing'));
  await expect(findRunFolders([join(folder, 'r0', 'nothing')])).rejects.toMatchObject({
    code: 'TB_RUN_FOLDER_NOT_FOUND',
    hint: expect.stringContaining('name run folders'),
  });
});

describe('the forms', () => {
  test('name changes beyond what separate runs differ, first in words', async () => {
    const { list, folder } = await listOf({ day: 1, medians: six(10) }, { day: 2, medians: six(15) });
    const text = runListText(list, { columns: 120, colours: false });
    expect(text).toMatch(/^2 runs: in the latest runs, 1 of 1 cell differs from the run before/);
    expect(text).toContain('synthetic: +50.0%');
    expect(text).toMatch(/Medians of separate runs of the same code differ by 9 to 11%/);
    await writeFile(join(folder, 'r1', 'report.html'), '');
    const again = await readRunList(await findRunFolders([folder]), studyReportOf, studyMetrics);
    const page = runListPage(again, join(folder, 'index.html'));
    expect(page).toContain('href="r1/report.html"');
    expect(page).not.toContain('href="r0/report.html"');
    expect(page).toContain('synthetic: +50.0%');
    expect(page).not.toContain('<script');
    expect(text).toContain('median round-trip time');
    expect(page).toContain('latest median round-trip time');
    expect(JSON.parse(JSON.stringify(runListJson(list)))).toMatchObject({
      runs: [{ runDir: join(folder, 'r0'), valid: 6, repetitions: 6 }, { setup: { number: 1, differences: [] } }],
      series: [
        {
          metric: 'rtt.median',
          unit: 'us',
          points: [{ setup: 1 }, { change: { before: join(folder, 'r0'), mark: 'beyond', isCovered: false } }],
        },
      ],
      unreadable: [],
    });
  });

  test.each([
    ['responseTime.median', 'median response time'],
    ['flight.megabytesPerSecond', 'megabytes per second'],
    ['access.rowsPerSecond', 'rows per second'],
  ])('name the figure %s in words', (metric, name) => {
    expect(figureName({ metric } as Series)).toBe(name);
  });

  test('count one run as one, with one time', async () => {
    const { list, folder } = await listOf({ day: 1, medians: six(10) });
    expect(runListPage(list, join(folder, 'index.html'))).toContain('>1 run, 2025-02-01 10:00 UTC<');
  });

  test('show names from files as text', async () => {
    const folder = await temporaryFolder();
    const name = '<img src=x onerror=alert(1)>';
    await syntheticRun(join(folder, 'one'), {
      name,
      architectures: ['none'],
      services: [5],
      rates: [100],
      requests: 9,
    });
    const list = await readRunList([join(folder, 'one')], studyReportOf, studyMetrics);
    const page = runListPage(list, join(folder, 'index.html'));
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});
