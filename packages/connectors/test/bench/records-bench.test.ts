/** The ways of the bench of records do the same work. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { driverRows, schema } from '../../bench/rows.ts';
import { waysOf } from '../../bench/ways.ts';

it('every way sends the same rows, and protobufjs the same bytes as ours', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const rows = driverRows(500);
  const nulls = rows.flatMap((row) => Object.values(row)).filter((value) => value === null);
  expect(nulls.length).toBeGreaterThan(100);
  const [ours, protobufjs, lines] = waysOf(schema).map((way) => {
    const bytes = way.write(rows);
    return { bytes, rows: way.read(bytes) };
  });
  expect(ours?.rows).toEqual(rows);
  expect(protobufjs).toEqual(ours);
  // JSON has decimals of few digits as numbers.
  const asNumbers = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : Number(value)])),
  );
  expect(lines?.rows).toEqual(asNumbers);
});
