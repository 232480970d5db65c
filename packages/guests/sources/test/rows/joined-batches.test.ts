import { Field, Int32, Schema, Table } from 'apache-arrow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchOfRows, type Row, TableChecksum } from '../../src/index.ts';
import { joinBatches, joinedBatches } from '../../src/rows/joined-batches.ts';
import { columnCases } from '../fixtures/column-types.ts';

const schema = new Schema([
  new Field('id', new Int32(), true),
  ...columnCases.map(({ name, type }) => new Field(name, type, true)),
]);
const row = fc.record(
  Object.fromEntries(columnCases.map(({ name, values }) => [name, fc.option(values, { freq: 4 })])),
);

it('rows in groups of any size have the values of one batch, for all types', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), fc.infiniteStream(fc.nat(9)), (values, sizes) => {
      const rows = values.map((value, id) => ({ ...value, id }));
      const parts = [];
      for (let first = 0; first < rows.length; ) {
        const size = 1 + (sizes.next().value as number);
        parts.push(batchOfRows(schema, rows.slice(first, first + size)));
        first += size;
      }
      const joined = joinBatches(schema, parts);
      expect(joined.numRows).toBe(rows.length);
      const [expected, found] = [new TableChecksum(), new TableChecksum()];
      expected.addBatch(batchOfRows(schema, rows));
      found.addBatch(joined);
      expect(found.digest()).toEqual(expected.digest());
      expect(new Table([joined]).getChild('id')?.toArray()).toEqual(Int32Array.from(rows.keys()));
    }),
    { numRuns: 100 },
  );
});

it('batches have the given number of rows, whatever the groups', async () => {
  const ids = new Schema([new Field('id', new Int32(), true)]);
  const groups = async function* (): AsyncGenerator<Row[]> {
    for (const [from, to] of [
      [0, 4500],
      [4500, 4500],
      [4500, 9001],
    ] as const)
      yield Array.from({ length: to - from }, (_, i) => ({ id: from + i }));
  };
  const batches = [];
  for await (const batch of joinedBatches(ids, groups(), 3000)) batches.push(batch);
  expect(batches.map(({ numRows }) => numRows)).toEqual([3000, 3000, 3000, 1]);
  expect(new Table(batches).getChild('id')?.toArray()).toEqual(Int32Array.from({ length: 9001 }, (_, i) => i));
});
