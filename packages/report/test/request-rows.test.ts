import { encodeTable, openRun, readSamples, samplesOf } from '@topo-bench/results';
import { studyReportOf } from '@topo-bench/studies';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { readReport, requestRows } from '../src/index.ts';
import { syntheticRun } from './fixtures/synthetic-run.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';

async function parquetOf(rows: readonly (readonly unknown[])[]) {
  const [header, ...body] = rows as [string[], ...string[][]];
  const bytes = encodeTable(header, body);
  return parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  });
}

test('every request of every repetition has a row with the levels of its cell, read back by another library', async () => {
  const folder = await temporaryFolder();
  const options = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 2, requests: 9 };
  await syntheticRun(folder, options);
  const rows = await parquetOf(await requestRows(await readReport([folder], studyReportOf)));
  const run = await openRun(folder);
  expect(rows).toHaveLength(2 * 2 * 9);
  for (const cell of run.cells) {
    const own = rows.filter(
      (row) => row.architecture === cell.factors.architecture && row.repetition === cell.repetition,
    );
    const samples = await readSamples(samplesOf(run, cell) as string);
    expect(own.map(({ id, rttUs, outcome, rule }) => [id, rttUs, outcome, rule])).toEqual(
      samples.map(({ id, rttUs, outcome, rule }) => [id, rttUs, outcome, rule]),
    );
    expect(new Set(own.map(({ rate, services, valid }) => `${rate} ${services} ${valid}`))).toEqual(
      new Set([`100 5 ${cell.validity.valid}`]),
    );
  }
});

test('columns have the type of their values: numbers, truth, text where mixed, null where absent', async () => {
  const rows = [
    ['number', 'truth', 'mixed', 'absent'],
    [1.5, true, 'a', undefined],
    [Number.NaN, null, 2, undefined],
    [Number.POSITIVE_INFINITY, false, null, null],
  ];
  expect(await parquetOf(rows)).toEqual([
    { number: 1.5, truth: true, mixed: 'a', absent: null },
    { number: null, truth: null, mixed: '2', absent: null },
    { number: Number.POSITIVE_INFINITY, truth: false, mixed: null, absent: null },
  ]);
});
