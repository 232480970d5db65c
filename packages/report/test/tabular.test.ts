import type { Cell } from '@topo-bench/core/schema/result';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { parseCsv } from '../src/csv.ts';
import { readReport } from '../src/read-report.ts';
import { cellsCsv, repetitionsCsv } from '../src/tabular.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

const byColumn = (csv: string): Record<string, string>[] => {
  const [header = [], ...rows] = parseCsv(csv);
  expect(rows.every(({ length }) => length === header.length)).toBe(true);
  expect(new Set(header).size).toBe(header.length);
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] as string])));
};

test('a row per cell, and a row per repetition with reasons', async () => {
  const folder = await temporaryFolder();
  const cells = await syntheticRun(folder, {
    repetitions: 2,
    requests: 20,
    change: (cell) =>
      cell.repetition === 2 ? { ...cell, validity: { valid: false, reasons: ['late, "very"'], flags: [] } } : cell,
  });
  const report = await readReport([folder], studyReportOf);
  const rows = byColumn(cellsCsv(report));
  expect(rows).toHaveLength(16);
  const first = cells.find(
    ({ factors }) => factors.architecture === 'none' && factors.rate === 100 && factors.services === 5,
  );
  expect(rows[0]).toMatchObject({
    architecture: 'none',
    rate: '100',
    services: '5',
    planned: '2',
    valid: '1',
    invalid: '1',
  });
  expect(Number(rows[0]?.['rtt.medianUs'])).toBe(first?.rtt.medianUs);

  const repetitions = byColumn(repetitionsCsv(report));
  expect(repetitions).toHaveLength(32);
  expect(repetitions[1]).toMatchObject({
    repetition: '2',
    valid: 'false',
    reasons: 'late, "very"',
    source: 'measured',
  });
});

test('a repetition of a simulated run has its source once', async () => {
  const folder = await temporaryFolder();
  const options = { services: [5], rates: [100], repetitions: 1, requests: 20, source: 'simulated' as const };
  await syntheticRun(folder, options);
  const rows = byColumn(repetitionsCsv(await readReport([folder], studyReportOf)));
  expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['simulated']));
});

test('a repetition that was measured again has the number of times', async () => {
  const folder = await temporaryFolder();
  const late = ({ factors, repetition }: Pick<Cell, 'factors' | 'repetition'>) =>
    factors.architecture === 'sidecar' && repetition === 2 ? 2 : 0;
  await syntheticRun(folder, { services: [5], rates: [100], repetitions: 2, requests: 20, late });
  const rows = byColumn(repetitionsCsv(await readReport([folder], studyReportOf)));
  const again = rows.filter(({ discarded }) => discarded !== '0');
  expect(again).toMatchObject([{ architecture: 'sidecar', repetition: '2', valid: 'true', discarded: '2' }]);
  expect(rows).toHaveLength(8);
});
