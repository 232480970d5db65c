import { createHmac } from 'node:crypto';
import { SeededTable } from '@topo-bench/columns';
import type { ArrowService } from '@topo-bench/core/schema/arrow';
import { type Data, Float64, Int64, makeData, RecordBatch, Struct, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { ExpectedTable } from '../../src/flight/expected-table.ts';
import { StreamTally } from '../../src/flight/stream-tally.ts';
import { TableCheck } from '../../src/flight/table-check.ts';

const column = { category: 'none', nulls: 0, size: 16, values: undefined };
const service: ArrowService = {
  rows: 450,
  batchRows: 100,
  columns: [
    { ...column, name: 'id', type: 'int64' },
    { ...column, name: 'name', type: 'text' },
    { ...column, name: 'amount', type: 'float64', nulls: 0.5 },
  ],
  facts: { class: 'row', purpose: 'contract', origin: undefined, consents: undefined },
};
const table = new SeededTable(service, 'table', 1);

/**
 * Rows 0, 3, 6 … stay whole, 1, 4, 7 … lose the name, 2, 5, 8 … are refused; the identity is a pseudonym in rows that
 * lose the name.
 */
const treatment = {
  treatments: [
    { passes: true, remove: [], pseudonymise: [] },
    { passes: true, remove: ['name'], pseudonymise: ['id', 'name'] },
    { passes: false, remove: [], pseudonymise: [] },
  ],
  codes: Array.from({ length: 4 }, () => Uint16Array.from({ length: 100 }, (_, row) => row % 3)),
  textColumns: ['id', 'name'],
  pseudonymKey: 'key',
};

describe('the expected table', () => {
  it('has the rows that pass, without removed values, and pseudonyms under the key of the run', () => {
    const batches = [...new ExpectedTable(table, treatment).batches(0, 1)];
    expect(batches.map(({ number, rows }) => [number, rows])).toEqual([
      [0, 67],
      [1, 67],
      [2, 67],
      [3, 67],
      [4, 34],
    ]);
    const [id, name, amount] = batches[1]?.columns ?? [];
    const pseudonym = createHmac('sha256', 'key').update('101').digest('hex');
    expect([0, 1, 2, 3].map((row) => id?.valueAt(row))).toEqual([
      '100',
      pseudonym,
      '103',
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ]);
    expect([0, 1, 2].map((row) => name?.valueAt(row))).toEqual(['xxxxxxxxxxxxxx2s', undefined, 'xxxxxxxxxxxxxx2v']);
    expect(name).toMatchObject({ nullCount: 33, extent: 34 * 16 });
    expect(id).toMatchObject({ nullCount: 0, extent: 34 * 3 + 33 * 64 });
    const source = table.batchAt(1).data.children[2] as Data;
    const kept = Array.from({ length: 100 }, (_, row) => row).filter((row) => row % 3 < 2);
    expect(amount?.nullCount).toBe(kept.filter((row) => !source.getValid(row)).length);
  });

  it('is that of the service without enforcement, in parts for each stream', () => {
    const expected = new ExpectedTable(table, undefined);
    expect([...expected.batches(1, 2)].map(({ number, rows }) => [number, rows])).toEqual([
      [2, 100],
      [3, 100],
      [4, 50],
    ]);
    const tally = new StreamTally();
    const check = new TableCheck(expected, 0, 1, tally);
    for (let number = 0; number < 5; number++) check.batch(table.batchAt(number));
    check.end();
    expect(tally).toMatchObject({ wrong: 0, checked: expect.any(Number) });
    expect(tally.checked).toBeGreaterThan(100);
  });
});

describe('the comparison of a batch', () => {
  function checked(change: (columns: Data[]) => Data[], rows = 100) {
    const tally = new StreamTally();
    const check = new TableCheck(new ExpectedTable(table, undefined), 0, 5, tally);
    const { schema, data } = table.batchAt(0);
    const children = change(data.children as Data[]);
    check.batch(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children })),
    );
    return tally.record(0, undefined);
  }

  it('finds and names one wrong value in the column whose turn it is', () => {
    const changed = checked(([id, ...others]) => {
      const data = (id as Data).values.slice() as BigInt64Array;
      data[57] = 7n;
      return [makeData({ type: new Int64(), length: 100, nullCount: 0, data }), ...others];
    });
    expect(changed).toMatchObject({ wrong: 1, wrongExample: 'column id of row 57 of batch 0 is 7, expected 57' });
  });

  it('finds one text of wrong length, and one missing or surplus value, in any column', () => {
    const shorter = checked(([id, name, amount]) => {
      const { valueOffsets, values } = name as Data<Utf8>;
      const offsets = valueOffsets.map((offset, row) => (row > 8 ? offset - 1 : offset));
      return [
        id as Data,
        makeData({ type: new Utf8(), length: 100, nullCount: 0, valueOffsets: offsets, data: values }),
        amount as Data,
      ];
    });
    expect(shorter).toMatchObject({
      wrong: 1,
      wrongExample: expect.stringMatching(/^column name of row 8 of batch 0/),
    });
    const other = checked(([id, name, amount]) => {
      const { values, nullBitmap, nullCount } = amount as Data<Float64>;
      const bitmap = nullBitmap.slice();
      bitmap[5] = (bitmap[5] as number) ^ 4;
      const changedCount = nullCount + ((bitmap[5] as number) & 4 ? -1 : 1);
      const data = { length: 100, nullCount: changedCount, nullBitmap: bitmap, data: values };
      return [id as Data, name as Data, makeData({ type: new Float64(), ...data })];
    });
    expect(other).toMatchObject({
      wrong: 1,
      wrongExample: expect.stringMatching(/^column amount of row 42 of batch 0/),
    });
  });
});
