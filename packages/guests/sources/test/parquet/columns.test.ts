/** Columns of Parquet files, compared with the values that were written. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  type RecordBatch,
  Schema,
  Struct,
  Table,
  Uint16,
  Utf8,
} from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, loadTable, openSource, type Row, type Source } from '../../src/index.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-parquet-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const schema = new Schema(
  Object.entries<DataType>({
    id: new Int32(),
    price: new Decimal(2, 7, 128),
    sum: new Decimal(3, 18, 128),
    wide: new Decimal(4, 38, 128),
    big: new Int64(),
    small: new Uint16(),
    ratio: new Float64(),
    isOpen: new Bool(),
    day: new DateDay(),
    note: new Utf8(),
    prices: new List(new Field('item', new Decimal(1, 5, 128), true)),
    place: new Struct([new Field('x', new Int32(), true), new Field('cost', new Decimal(2, 9, 128), true)]),
  }).map(([name, type]) => new Field(name, type, true)),
);

/** Row `n`, with the n-th column null in every 13th row. */
function rowOf(n: number): Row {
  const sign = n % 2 === 0 ? '-' : '';
  const row: Record<string, unknown> = {
    id: n - 1000,
    price: `${sign}${n % 99999}.0${n % 10}`,
    sum: `${sign}${n}99999999.00${n % 10}`,
    wide: `${sign}12345678901234567890123456789${n % 10}.0001`,
    big: BigInt(n) * -(2n ** 50n),
    small: n % 65536,
    ratio: n / 7,
    isOpen: n % 3 === 0,
    day: n - 100,
    note: `é${n}`,
    prices: n % 4 === 0 ? [] : [`${sign}${n % 100}.5`, null],
    place: { x: n, cost: `${n}.25` },
  };
  const names = Object.keys(row);
  row[names[n % 13] ?? ''] = null;
  delete row[''];
  return row;
}

async function written(name: string, rows: readonly Row[], groupRows: number): Promise<Source> {
  const file = join(folder, `${name}.parquet`);
  const groups: RecordBatch[] = [];
  for (let i = 0; i < rows.length; i += groupRows) groups.push(batchOfRows(schema, rows.slice(i, i + groupRows)));
  await loadTable({ kind: 'parquet', file }, { schema, batches: () => groups });
  return openSource({ kind: 'parquet', file });
}

async function read(source: Source, batchRows: number, limitRows?: number): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  const limit = limitRows === undefined ? {} : { limitRows };
  for await (const batch of source.columns({ batchRows, connections: 1, ...limit })) batches.push(batch);
  return batches;
}

const text = (batches: readonly RecordBatch[]): string =>
  JSON.stringify(new Table([...batches]).toArray(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));

describe('columns of a Parquet file', () => {
  it.each([
    ['with nulls in every column', rowOf],
    ['without nulls', (n: number) => rowOf(13 * n + 12)],
  ])('are the values that were written, %s', async (name, row) => {
    const rows = Array.from({ length: 250 }, (_, n) => row(n));
    const source = await written(name, rows, 100);
    const batches = await read(source, 40);
    expect(batches.map(({ numRows }) => numRows)).toEqual([40, 40, 20, 40, 40, 20, 40, 10]);
    expect(text(batches)).toBe(text([batchOfRows(schema, rows)]));
    expect(text(await read(source, 100, 130))).toBe(text([batchOfRows(schema, rows.slice(0, 130))]));
    await source.close();
  });

  it('of a damaged file are an error', async () => {
    const source = await written(
      'damaged',
      Array.from({ length: 250 }, (_, n) => rowOf(n)),
      100,
    );
    const file = await open(join(folder, 'damaged.parquet'), 'r+');
    await file.write(Buffer.alloc(2000, 0xff), 0, 2000, 4);
    await file.close();
    await expect(read(source, 100)).rejects.toMatchObject({ code: 'TB_SOURCE_DAMAGED' });
    await source.close();
  });

  it('of an aborted read reject with the reason', async () => {
    const stop = new AbortController();
    const rows = Array.from({ length: 250 }, (_, n) => rowOf(n));
    await (await written('aborted', rows, 100)).close();
    const file = join(folder, 'aborted.parquet');
    const source = await openSource({ kind: 'parquet', file }, { signal: stop.signal });
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 50, connections: 1 })) stop.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    await source.close();
  });
});
