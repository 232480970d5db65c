/** Columns of a server with the MongoDB wire protocol. */
import { Field, Schema, TimestampMicrosecond } from 'apache-arrow';
import { Binary, BSON, Decimal128, Double, Long, MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedServers, type TestServers } from '../../../stores/test/fixtures/test-servers.ts';
import { batchOfRows, loadTable, openSource, type Source, storeSalesData, TableChecksum } from '../../src/index.ts';

const shown = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

describe('columns of a collection', () => {
  let servers: TestServers;
  let client: MongoClient;

  beforeAll(async () => {
    servers = await sharedServers(['mongodb']);
    if (servers.missing('mongodb') === undefined) client = await MongoClient.connect(servers.get('mongodb').url);
  });

  afterAll(() => client?.close());

  beforeEach(({ skip }) => {
    const reason = servers.missing('mongodb');
    skip(reason !== undefined, reason);
  });

  const open = (collection: string): Promise<Source> =>
    openSource({ kind: 'mongodb', url: servers.get('mongodb').url, database: 'columns', collection });

  it('are the rows that were loaded, in batches of the given size', async () => {
    const data = storeSalesData({ rows: 2500, seed: 3 });
    const table = {
      kind: 'mongodb',
      url: servers.get('mongodb').url,
      database: 'columns',
      collection: 'sales',
    } as const;
    await loadTable(table, data);
    const source = await open('sales');
    const [read, loaded] = [new TableChecksum(), new TableChecksum()];
    const sizes: number[] = [];
    for await (const batch of source.columns({ batchRows: 1200, connections: 1 })) {
      sizes.push(batch.numRows);
      read.addBatch(batch);
    }
    for await (const batch of data.batches()) loaded.addBatch(batch);
    expect(sizes).toEqual([1200, 1200, 100]);
    expect(read.digest()).toEqual(loaded.digest());
    // Rows of a larger answer of the server would outlive young collections of garbage.
    const groups: number[] = [];
    for await (const rows of source.rows({ batchRows: 10_000 })) groups.push(rows.length);
    expect(groups).toEqual([1000, 1000, 500]);
    await source.close();
  });

  it('name the document and the field of another type', async () => {
    const rows = client.db('columns').collection<{ _id: number; v: unknown }>('mixed');
    await rows.insertMany(Array.from({ length: 1200 }, (_, _id) => ({ _id, v: _id === 1100 ? 'x' : _id })));
    const source = await open('mixed');
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 100, connections: 1 })) {
      }
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'TB_SOURCE_VALUE',
      message: expect.stringContaining('document 1100, column v: got "x"'),
    });
    await source.close();
  });

  it.for<[string, unknown, unknown, string]>([
    ['a number with a fraction', 1, 1.5, 'got 1.5, expected a whole number of 32 bits'],
    ['an integer of 64 bits', 1, Long.fromString('9223372036854775807'), 'expected a whole number of 32 bits'],
    ['text in a column of decimals', Decimal128.fromString('1.5'), 'x', 'got "x"'],
    [
      'NaN in a column of decimals',
      Decimal128.fromString('1.5'),
      Decimal128.fromString('NaN'),
      'got NaN, expected a decimal',
    ],
    ['bytes in a column of text', 'x', new Binary(Buffer.from('x')), 'expected text'],
    ['a number in a column of lists', [1], 1, 'got 1, expected an array'],
    ['text in a member of a document', { a: 1 }, { a: 'x' }, 'column v.a: got "x"'],
  ])('reject %s', async ([name, first, other, message]) => {
    const rows = client.db('columns').collection<{ _id: number; v: unknown }>(name.replaceAll(' ', '_'));
    // The schema comes from the first 1,000 documents.
    const documents = Array.from({ length: 1001 }, (_, _id) => ({ _id, v: _id < 1000 ? first : other }));
    await rows.insertMany(documents);
    const source = await open(rows.collectionName);
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 100, connections: 1 })) {
      }
    })();
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toThrow('document 1000, column v');
    await source.close();
  });

  it.for<[string, unknown[], unknown[]]>([
    ['zeros of any exponent', ['0E-6176', '0E+6111', '1.50'], ['0', '0', '150']],
    [
      'zeros at the end that leave no room',
      [`1${'0'.repeat(33)}`, '0.123000', '0E-20'],
      [`1${'0'.repeat(37)}`, '1230', '0'],
    ],
  ])('have decimals with %s', async ([name, texts, unscaled]) => {
    const rows = client.db('columns').collection<{ _id: number; v: unknown }>(name.replaceAll(' ', '_'));
    await rows.insertMany(texts.map((text, _id) => ({ _id, v: Decimal128.fromString(text as string) })));
    const source = await open(rows.collectionName);
    const { value: batch } = await source.columns({ batchRows: 10, connections: 1 })[Symbol.asyncIterator]().next();
    expect([0, 1, 2].map((row) => String(batch?.getChild('v')?.get(row)))).toEqual(unscaled);
    await source.close();
  });

  it('have long integers among doubles, if no digit is lost', async () => {
    const rows = client.db('columns').collection<{ _id: number; v: unknown }>('numbers');
    const values = [Long.fromString('9007199254740992'), new Double(1.5), 3];
    await rows.insertMany(values.map((v, _id) => ({ _id, v })));
    const source = await open('numbers');
    const { value: batch } = await source.columns({ batchRows: 10, connections: 1 })[Symbol.asyncIterator]().next();
    expect([...(batch?.getChild('v') ?? [])]).toEqual([2 ** 53, 1.5, 3]);
    await source.close();
  });

  it('refuse a member that the first documents lack, in documents and in lists', async () => {
    for (const [name, first, later] of [
      ['member', { a: 1 }, { a: 1, b: 2 }],
      ['members', [{ a: 1 }], [{ a: 1 }, { b: 2 }]],
    ] as const) {
      const rows = client.db('columns').collection<{ _id: number; v: unknown }>(name);
      await rows.insertMany(Array.from({ length: 1001 }, (_, _id) => ({ _id, v: _id < 1000 ? first : later })));
      const source = await open(name);
      const reading = (async () => {
        for await (const _ of source.rows({ batchRows: 2000 })) {
        }
      })();
      await expect(reading).rejects.toThrow(/^column v(\[\])?\.b: got 2, expected no such field/);
      await source.close();
    }
  });

  it('refuse the date of Long.MAX, which has no microseconds', async () => {
    // The driver writes no such date: the bytes of a document with one.
    const bytes = BSON.serialize({ _id: 1, v: new Date(0) });
    new DataView(bytes.buffer, bytes.byteOffset).setBigInt64(bytes.length - 9, 2n ** 63n - 1n, true);
    const row = BSON.deserialize(bytes);
    const schema = new Schema([new Field('v', new TimestampMicrosecond('UTC'), true)]);
    expect(() => batchOfRows(schema, [row])).toThrow('column v: got Invalid Date, expected a timestamp');
  });

  it('have nulls, missing fields, and values that only BSON has', async () => {
    const id = new ObjectId('00112233445566778899aabb');
    const rows = client.db('columns').collection<{ _id: number; [name: string]: unknown }>('values');
    const big = Long.fromString('-9223372036854775808');
    const at = new Date(-1);
    await rows.insertMany([
      {
        _id: 1,
        l: big,
        d: new Double(-0),
        n: Decimal128.fromString('-12.50'),
        t: id,
        at,
        list: [1, null],
        inner: { a: 1 },
      },
      { _id: 2, t: null, list: [], inner: null },
      { inner: { a: null }, _id: 3 },
    ]);
    const source = await open('values');
    const { value: batch } = await source.columns({ batchRows: 10, connections: 1 })[Symbol.asyncIterator]().next();
    const column = (name: string): unknown[] => JSON.parse(JSON.stringify([...(batch?.getChild(name) ?? [])], shown));
    expect(column('_id')).toEqual([1, 2, 3]);
    expect(column('l')).toEqual([`${big}`, null, null]);
    expect(Object.is(batch?.getChild('d')?.get(0), -0)).toBe(true);
    expect(column('t')).toEqual([id.toHexString(), null, null]);
    expect(batch?.getChild('at')?.data[0]?.values[0]).toBe(-1000n);
    expect(column('list')).toEqual([[1, null], [], null]);
    expect(column('inner')).toEqual([{ a: 1 }, null, { a: null }]);
    expect(batch?.getChild('n')?.nullCount).toBe(2);
    await source.close();
  });
});
