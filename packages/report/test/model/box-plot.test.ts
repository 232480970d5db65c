import { cellKey } from '@topo-bench/core';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { boxOf, boxPlotOf, outliersShown } from '../../src/model/box-plot.ts';
import { readReport } from '../../src/read-report.ts';
import { syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

test('quartiles, whiskers and outliers of a known sample', () => {
  // 1…11 and two far out: by hand, n = 13, Q1 = 4th, median = 7th, Q3 = 10th value; fences 4 − 9 and 10 + 9.
  const box = boxOf([11, 3, 1, 2, 5, 4, 6, 7, 8, 10, 9, 30, 25]);
  expect(box).toMatchObject({
    q1Us: 4,
    medianUs: 7,
    q3Us: 10,
    lowUs: 1,
    highUs: 11,
    outliersUs: [25, 30],
    outliers: 2,
    count: 13,
  });
});

test('low values can be outliers too', () => {
  expect(boxOf([1, 100, 101, 102, 103, 104, 105])).toMatchObject({ lowUs: 100, outliersUs: [1], outliers: 1 });
});

test('unfinished requests count as infinite: they lift quartiles and end the whisker', () => {
  expect(boxOf([1, 2, 3, 4], 4)).toMatchObject({
    medianUs: Number.POSITIVE_INFINITY,
    highUs: Number.POSITIVE_INFINITY,
    lowUs: 1,
    count: 8,
  });
  expect(boxOf([10, 11, 12, 13, 14, 15, 16], 1)).toMatchObject({
    medianUs: 13.5,
    highUs: 16,
    outliers: 0,
    unfinished: 1,
  });
  expect(boxOf([], 3)).toMatchObject({ q1Us: Number.POSITIVE_INFINITY, outliers: 0 });
});

test('a single request is a box without extent', () => {
  expect(boxOf([5])).toMatchObject({ lowUs: 5, q1Us: 5, medianUs: 5, q3Us: 5, highUs: 5, outliers: 0 });
});

test('of many outliers a stated number is kept, both ends among them, all counted', () => {
  const box = boxOf([...Array(10_000).fill(100), ...Array.from({ length: 1000 }, (_, index) => 1000 + index)]);
  expect(box.outliers).toBe(1000);
  expect(box.outliersUs).toHaveLength(outliersShown);
  expect(box.outliersUs[0]).toBe(1000);
  expect(box.outliersUs.at(-1)).toBe(1999);
});

test('the box has the quartiles of its label, medians over repetitions, whatever the pooled requests', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { architectures: ['sidecar'], services: [5], rates: [100], repetitions: 3, requests: 50 });
  const { groups, boxPlots } = await readReport([folder], studyReportOf, { boxPlots: true });
  const [group] = groups;
  const medians = group!.valid.map(({ rtt }) => rtt.medianUs).sort((a, b) => a - b);
  const box = boxPlots.rtt.get(cellKey(group!.factors));
  expect(box).toMatchObject({ from: 'samples', medianUs: medians[1] });
  // Two repetitions are short: pooled, the long one would set the median.
  const times = (us: number, count: number) =>
    Array.from({ length: count }, () => ({ outcome: 'completed', rttUs: us, doneUs: us, intendedUs: 0 }) as never);
  const samples = [times(100, 5), times(110, 5), times(500, 90)].map((own, at) => ({
    repetition: at + 1,
    samples: own,
  }));
  const rtt = { ...group!.figures!.rtt, q1Us: 105, medianUs: 110, q3Us: 115 };
  const drawn = boxPlotOf({ ...group!, figures: { ...group!.figures!, rtt } }, samples, 'rtt');
  expect(drawn).toMatchObject({ q1Us: 105, medianUs: 110, q3Us: 115, lowUs: 100, highUs: 115, outliers: 90 });
});

test('whiskers never end inside the box', () => {
  expect(boxOf([10, 10, 10, 90, 90], 0, [20, 50, 80])).toMatchObject({ lowUs: 10, highUs: 90 });
  expect(boxOf([50, 51, 52], 0, [20, 50, 80])).toMatchObject({ lowUs: 20, highUs: 80 });
});
