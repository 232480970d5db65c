import { expect, test } from 'vitest';
import { formatCsv, parseCsv } from '../src/csv.ts';

test('fields with commas, quotes and line breaks are quoted by RFC 4180', () => {
  expect(formatCsv([['a', 'b,c', 'say "hi"', 'two\nlines']])).toBe('a,"b,c","say ""hi""","two\nlines"\r\n');
});

test('text that a spreadsheet would run as a formula is made inert; numbers stay numbers', () => {
  const row = formatCsv([['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\tx', -1.5, 'a=b']]);
  expect(parseCsv(row)).toEqual([[`'=HYPERLINK("http://x")`, "'+1", "'-1", "'@SUM(A1)", "'\tx", '-1.5', 'a=b']]);
});

test('a missing figure is an empty field, one that never finished is Infinity', () => {
  expect(formatCsv([[null, undefined, Number.NaN, Number.POSITIVE_INFINITY, 0, false]])).toBe(
    ',,,Infinity,0,false\r\n',
  );
});

test('written files are read back', () => {
  const rows = [
    ['architecture', 'remark'],
    ['sidecar', 'with "quotes", commas\r\nand lines'],
    ['', ''],
    ['5" pipe', 'x'],
  ];
  expect(parseCsv(formatCsv(rows))).toEqual(rows);
  expect(parseCsv('a,b\n1,2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(parseCsv('')).toEqual([]);
});
