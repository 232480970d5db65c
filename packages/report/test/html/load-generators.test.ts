import type { Cell } from '@topo-bench/core/schema/result';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { renderPage } from '../../src/html/page.ts';
import { readReport } from '../../src/read-report.ts';
import { syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Rows of the table of generators on the page of three repetitions. */
async function rowsOf(generatorOf: (cell: Cell) => Cell['generator']): Promise<string[][] | undefined> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    ...{ architectures: ['sidecar'], services: [5], rates: [100], repetitions: 3, requests: 20 },
    change: (cell) => {
      const generator = generatorOf(cell);
      return generator ? { ...cell, generator } : cell;
    },
  });
  const page = renderPage(await readReport([folder], studyReportOf, { metrics: studyMetrics }), '');
  const table = /aria-label="load generators".*?<tbody>(.*?)<\/tbody>/s.exec(page)?.[1];
  return table
    ?.split('<tr>')
    .slice(1)
    .map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, text = '']) => text));
}

const recordOf = ({ schedulerLag, repetition }: Cell, name: string, host: string | undefined, sent: number) => ({
  ...{ name, sent, cpuPercent: 10 * repetition, rssBytes: 5e7, eventLoopUtilization: 0.1, startLateUs: 0 },
  ...(host !== undefined && { host }),
  schedulerLag: { ...schedulerLag, p99Us: 100 * repetition },
});

test('the page lists each generator of a split load with its machine, its part and its lag', async () => {
  const rows = await rowsOf((cell) => ({
    realTimePriority: false,
    each: [
      { ...recordOf(cell, 'load-generator-1', 'b', 12), startLateUs: 1500 },
      {
        ...recordOf(cell, 'load-generator-0', 'a', 8),
        clock: { offsetUs: 5e6, errorUs: 165 + cell.repetition, driftUs: 1, driftErrorUs: 2 },
      },
    ],
    hosts: { a: { idlePercent: 50 - cell.repetition }, b: {} },
  }));
  expect(rows).toEqual([
    ['load-generator-0', 'a', '3', '24', '20', '300 µs', '0 µs', '168 µs', '47'],
    ['load-generator-1', 'b', '3', '36', '20', '300 µs', '1.5 ms', '–', '–'],
  ]);
});

test('the page of a run with one generator on this machine has no such table', async () => {
  expect(await rowsOf(() => ({ realTimePriority: true }))).toBeUndefined();
});
