import { expect, test } from 'vitest';
import { boxOf, outliersShown } from '../../src/model/box-plot.ts';

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
