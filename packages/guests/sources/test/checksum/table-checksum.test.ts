/** The checksum of a table: equal for the same values, different for each kind of damage. */
import {
  Binary,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  type RecordBatch,
  Schema,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchOfRows, type Row, storeSalesData, TableChecksum, type TableDigest } from '../../src/index.ts';

const schema = new Schema([
  new Field('a', new Int32(), true),
  new Field('b', new Int32(), true),
  new Field('price', new Decimal(2, 9, 128), true),
  new Field('name', new Utf8(), true),
]);

function digest(rows: readonly Row[], of = schema): TableDigest {
  const checksum = new TableChecksum(of);
  checksum.addRows(rows);
  return checksum.digest();
}

const rows: Row[] = Array.from({ length: 100 }, (_, i) => ({ a: i, b: i + 1, price: `${i}.50`, name: `n${i}` }));
const changed = (index: number, change: Row): Row[] =>
  rows.map((row, i) => (i === index ? { ...row, ...change } : row));

describe('a checksum', () => {
  it('is the same in any order and in any batches', () => {
    const split = new TableChecksum(schema);
    const shuffled = [...rows].reverse();
    for (let i = 0; i < rows.length; i += 7) split.addRows(shuffled.slice(i, i + 7));
    expect(split.digest()).toEqual(digest(rows));
  });

  it('is the same for slices of a batch, and after a passage through bytes', () => {
    const batch = batchOfRows(schema, changed(9, { a: null, name: null }));
    const sliced = new TableChecksum();
    for (const [start, end] of [
      [0, 3],
      [3, 50],
      [50, 100],
    ] as const)
      sliced.addBatch(batch.slice(start, end));
    const passed = new TableChecksum();
    for (const part of tableFromIPC(tableToIPC(new Table([batch]))).batches) passed.addBatch(part);
    const whole = new TableChecksum();
    whole.addBatch(batch);
    expect([sliced.digest(), passed.digest()]).toEqual([whole.digest(), whole.digest()]);
  });

  it('is the same for integers of another width, and for decimals of another precision', () => {
    const wide = new Schema([
      new Field('a', new Int64(), true),
      new Field('b', new Int64(), true),
      new Field('price', new Decimal(2, 38, 128), true),
      new Field('name', new Utf8(), true),
    ]);
    const negative = changed(3, { a: -5, price: '-0.01' });
    expect(digest(negative, wide)).toEqual(digest(negative));
  });

  it.each<[string, readonly Row[]]>([
    ['a lost row', rows.slice(1)],
    ['a duplicated row', [...rows, rows[5] as Row]],
    ['a row in place of another', [...rows.slice(1), rows[5] as Row]],
    ['two values swapped between columns', changed(4, { a: 5, b: 4 })],
    ['two values swapped between rows', rows.map((row, i) => (i < 2 ? { ...row, name: `n${1 - i}` } : row))],
    ['null in place of 0', changed(0, { a: null })],
    ['a decimal off by one cent', changed(7, { price: '7.51' })],
    ['a changed letter', changed(7, { name: 'n8' })],
  ])('shows %s', (_, damaged) => {
    expect(digest(damaged)).not.toEqual(digest(rows));
  });

  it('distinguishes null, empty text and text', () => {
    const digests = [null, '', ' ', '\0', 'null'].map((name) => digest(changed(7, { name })).hash);
    expect(new Set(digests).size).toBe(5);
  });

  it('shows text moved over the border of two columns', () => {
    const two = new Schema([new Field('a', new Utf8(), true), new Field('b', new Binary(), true)]);
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const digests = ['', 'x', 'xy', 'xyz'].map((a) => digest([{ a, b: bytes('xyz'.slice(a.length)) }], two).hash);
    expect(new Set(digests).size).toBe(4);
  });

  it('shows a wrong scale, 0 against -0, and any change of a float', () => {
    const scaled = (scale: number): Schema => new Schema([new Field('x', new Decimal(scale, 9, 128), true)]);
    expect(digest([{ x: 150n }], scaled(2))).not.toEqual(digest([{ x: 150n }], scaled(3)));
    const float = new Schema([new Field('x', new Float64(), true)]);
    expect(digest([{ x: 0 }], float)).not.toEqual(digest([{ x: -0 }], float));
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (x, y) => {
        fc.pre(!Object.is(x, y));
        return digest([{ x }], float).hash !== digest([{ x: y }], float).hash;
      }),
    );
  });

  it('has no equal rows among 10 000', () => {
    const seen = new Set<string>();
    for (const batch of storeSalesData({ rows: 10_000, seed: 1 }).batches() as Iterable<RecordBatch>) {
      for (let i = 0; i < 10_000; i++) {
        const one = new TableChecksum();
        one.addBatch(batch.slice(i, i + 1));
        seen.add(one.digest().hash);
      }
    }
    expect(seen.size).toBe(10_000);
  });
});
