import { expect, test } from 'vitest';
import { pageSections } from '../../src/report/page-sections.ts';
import { streamSentences } from '../../src/report/stream-sentences.ts';
import { streamTables } from '../../src/report/stream-tables.ts';
import { around, entriesOf, streamModel } from './stream-model.ts';

const cell = (streamEngine: string, windows: string) => ({
  database: 'postgresql',
  windows,
  points: 1000,
  streamEngine,
});

test('engines are compared where both ran, with the interval of their ratio', () => {
  const model = streamModel([
    { factors: cell('embedded', 'none'), rates: around(4000) },
    { factors: cell('embedded', '1 s'), rates: around(2000) },
    { factors: cell('flink', 'none'), rates: around(1000) },
  ]);
  const tables = streamTables(model);
  const [row, ...others] = tables.find(({ id }) => id === 'engines')?.rows ?? [];
  expect(others).toEqual([]);
  expect(row?.slice(0, 6)).toEqual(['postgresql', 'none', 'on Flink', '4,020', '1,005', '0.25×']);
  expect(row?.[6]).toMatch(/^0\.2\d× to 0\.2\d×$/);
  expect(pageSections(model, tables).map(({ id }) => id)).toContain('engines');
  const sentences = streamSentences(model).filter((text) => text.includes('as on the embedded engine'));
  expect(sentences).toEqual([
    expect.stringMatching(
      /^Without windows, on Flink, postgresql takes 0\.25 times as many points\/s .*to 0\.2\d\)\.$/,
    ),
  ]);
});

test('a difference between engines is not claimed from few repetitions', () => {
  const model = streamModel([
    { factors: cell('embedded', 'none'), rates: around(4000, 2) },
    { factors: cell('flink', 'none'), rates: around(1000, 2) },
  ]);
  expect(streamSentences(model).find((text) => text.includes('as on the embedded engine'))).toContain(
    '(interval unknown): no difference is shown.',
  );
});

test('jobs on Flink have a row for each task with the metrics of Flink', () => {
  const task = { parallelism: 2, records: 900, recordsPerSecond: 90_000, busyUs: 7000, backPressureUs: 3000 };
  const flink = {
    version: '1.20.3',
    restarts: 0,
    checkpoints: { completed: 4, failed: 0, meanUs: 12_000, maxUs: 20_000 },
    tasks: [
      { ...task, name: 'Source: positions', parallelism: 1 },
      // Flink had no times of this task.
      { ...task, name: 'heat map', recordsPerSecond: 45_000, busyUs: undefined, backPressureUs: undefined },
    ],
  };
  const [plain] = entriesOf(streamModel([{ factors: cell('flink', 'none'), rates: [10] }]));
  const run = plain?.stream?.fullSpeed;
  if (!run) throw new Error('no figures');
  const more = { fullSpeed: { ...run, flink }, paced: { ...run, flink } };
  const model = streamModel([{ factors: cell('flink', 'none'), rates: [10], more }]);
  const tables = streamTables(model);
  expect(tables.find(({ id }) => id === 'flink')?.rows).toEqual([
    ['postgresql', 'none', 'Source: positions', '1', '90,000', '7.000', '3.000', '4', '12.00'],
    ['postgresql', 'none', 'heat map', '2', '45,000', '–', '–', '–', '–'],
  ]);
  expect(pageSections(model, tables).map(({ id }) => id)).toContain('flink');
  expect(tables.map(({ id }) => id)).not.toContain('engines');
});
