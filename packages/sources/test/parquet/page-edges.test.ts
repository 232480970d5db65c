/** Columns whose nulls, pages and batches end anywhere: read in batches, compared with the values that were written. */
import { type Data, type DataType, Decimal, Int32, Int64, makeVector, Utf8 } from 'apache-arrow';
import fc from 'fast-check';
import type { ColumnMetaData, SchemaElement } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { FlatColumn } from '../../src/parquet/columns/flat-column.ts';
import { dataPage, dataPageV2, dictionary, dictionaryPage, int, plain, varint } from '../fixtures/page-bytes.ts';

/** A run of a page: packed groups of eight values, or equal values, at most that many groups. */
type Run = { isPacked: boolean; length: number };

interface WrittenPage {
  values: readonly (number | null)[];
  /** Used in turn, for levels and for indexes. */
  runs: readonly Run[];
  isSecondForm: boolean;
  /** Bits of an index; absent for plain values. */
  width?: number | undefined;
}

/** The last packed group is filled with zeros: as levels, they would be nulls. */
function hybrid(values: readonly number[], width: number, runs: readonly Run[]): number[] {
  const bytes: number[] = [];
  for (let [at, turn] = [0, 0]; at < values.length; turn++) {
    const { isPacked, length } = runs[turn % runs.length] as Run;
    if (isPacked) {
      const groups = Math.min(length, Math.ceil((values.length - at) / 8));
      bytes.push(...varint(2 * groups + 1), ...packed(values.slice(at, at + 8 * groups), width, groups));
      at += 8 * groups;
    } else {
      const value = values[at] as number;
      const end = values.findIndex((other, place) => place >= at && (other !== value || place - at >= 8 * length));
      const count = (end === -1 ? values.length : end) - at;
      bytes.push(...varint(2 * count), ...int(value).slice(0, Math.ceil(width / 8)));
      at += count;
    }
  }
  return bytes;
}

function packed(values: readonly number[], width: number, groups: number): number[] {
  const bytes = new Array<number>(groups * width).fill(0);
  for (const [place, value] of values.entries()) {
    for (let bit = 0; bit < width; bit++) {
      const at = place * width + bit;
      bytes[at >>> 3] = (bytes[at >>> 3] as number) | (((value >>> bit) & 1) << (at & 7));
    }
  }
  return bytes;
}

interface Kind {
  type: DataType;
  stored: SchemaElement['type'];
  bytesOf(value: number): number[];
  /** As read from the column. */
  read(value: number): unknown;
}

const wide = (value: number): number[] => [...int(value), ...int(value >> 31)];
const decimal = (value: number): string =>
  [value, value >> 31, value >> 31, value >> 31].map((one) => one >>> 0).join();

/** Some texts are empty. */
const text = (value: number): string => (value === 0 ? '' : String(value));

const kinds: Readonly<Record<string, Kind>> = {
  int32: { type: new Int32(), stored: 'INT32', bytesOf: int, read: (value) => value },
  int64: { type: new Int64(), stored: 'INT64', bytesOf: wide, read: BigInt },
  'decimal of 32 bits': { type: new Decimal(2, 9, 128), stored: 'INT32', bytesOf: int, read: decimal },
  'decimal of 64 bits': { type: new Decimal(2, 18, 128), stored: 'INT64', bytesOf: wide, read: decimal },
  text: {
    type: new Utf8(),
    stored: 'BYTE_ARRAY',
    bytesOf: (value) => [...int(text(value).length), ...Buffer.from(text(value))],
    read: text,
  },
};

/** @param entries of the dictionary: values of pages with indexes are those at these places */
function chunkOf(pages: readonly WrittenPage[], entries: readonly number[], { bytesOf }: Kind): Uint8Array {
  const ofPages = pages.flatMap(({ values, runs, isSecondForm, width }) => {
    const present = values.filter((value) => value !== null);
    const indexes = present.map((value) => entries.indexOf(value));
    const body = width === undefined ? present.flatMap(bytesOf) : [width, ...hybrid(indexes, width, runs)];
    const levels = hybrid(
      values.map((value) => Number(value !== null)),
      1,
      runs,
    );
    const encoding = width === undefined ? plain : dictionary;
    if (isSecondForm) return dataPageV2(values.length, values.length - present.length, encoding, levels, body);
    return dataPage(values.length, encoding, [...int(levels.length), ...levels, ...body]);
  });
  return Uint8Array.from([...dictionaryPage(entries.length, entries.flatMap(bytesOf)), ...ofPages]);
}

function valuesOf(data: Data): unknown[] {
  const vector = makeVector(data);
  const shown = (row: number): unknown =>
    data.type instanceof Decimal ? data.values.subarray(4 * row, 4 * row + 4).join() : vector.get(row);
  // Validity by its bits: `get` of some types reads the value alone.
  return Array.from({ length: data.length }, (_, row) => (vector.isValid(row) ? shown(row) : null));
}

const entries = [0, 1, -1, 7, 2 ** 31 - 1, -(2 ** 31), 123_456];
const minWidth = 3;

const run = fc.record({ isPacked: fc.boolean(), length: fc.integer({ min: 1, max: 12 }) });
/** Stretches of nulls and of values, some longer than what is copied in a loop. */
const stretch = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 140 })),
  nulls: fc.constantFrom('all', 'none', 'some'),
});
const page: fc.Arbitrary<WrittenPage> = fc
  .record({
    stretches: fc.array(stretch, { minLength: 1, maxLength: 4 }),
    seeds: fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
    runs: fc.array(run, { minLength: 1, maxLength: 5 }),
    isSecondForm: fc.boolean(),
    width: fc.option(fc.integer({ min: minWidth, max: 24 }), { nil: undefined }),
  })
  .map(({ stretches, seeds, ...others }) => {
    const values = stretches.flatMap(({ rows, nulls }) =>
      Array.from({ length: rows }, (_, row) => {
        const seed = (seeds[row % seeds.length] as number) + 31 * row;
        const isNull = nulls === 'all' || (nulls === 'some' && seed % 3 === 0);
        return isNull ? null : (entries[seed % entries.length] as number);
      }),
    );
    return { values, ...others };
  });
const table = fc.record({
  pages: fc.array(page, { minLength: 1, maxLength: 5 }),
  batchRows: fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 300 })), { minLength: 1 }),
});

describe('values and nulls of a column are those of its pages, wherever runs, pages and batches end', () => {
  it.each(Object.entries(kinds))('%s', (_, kind) => {
    const element: SchemaElement = { name: 'c', type: kind.stored as 'INT32', repetition_type: 'OPTIONAL' };
    fc.assert(
      fc.property(table, ({ pages, batchRows }) => {
        const written = pages.flatMap(({ values }) => values);
        const column = new FlatColumn(element, kind.type, 20);
        const read: unknown[] = [];
        // The buffers of the first row group serve the second.
        for (const rows of [written.length, written.length]) {
          column.start(chunkOf(pages, entries, kind), { codec: 'UNCOMPRESSED' } as ColumnMetaData, rows);
          for (let [left, turn] = [rows, 0]; left > 0; turn++) {
            const count = Math.min(left, batchRows[turn % batchRows.length] as number);
            const data = column.read(count);
            expect(data.nullCount).toBe(valuesOf(data).filter((value) => value === null).length);
            read.push(...valuesOf(data));
            left -= count;
          }
          column.requireEnd();
        }
        const expected = written.map((value) => (value === null ? null : kind.read(value)));
        expect(read).toEqual([...expected, ...expected]);
      }),
      { numRuns: 100 },
    );
  });
});
