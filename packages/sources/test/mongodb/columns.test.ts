/** Columns of a server with the MongoDB wire protocol, from raw documents. */
import { TopoBenchError } from '@topo-bench/core';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import {
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Schema,
  Struct,
  Table,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { Binary, BSON, Int32 as BsonInt32, Decimal128, Double, Long, MongoClient, ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, loadTable, openSource, type Source, storeSalesData, TableChecksum } from '../../src/index.ts';
import { DocumentDecoder } from '../../src/mongodb/columns/document-decoder.ts';

const schema = new Schema(
  Object.entries({
    i: new Int32(),
    l: new Int64(),
    d: new Float64(),
    n: new Decimal(2, 38, 128),
    t: new Utf8(),
    at: new TimestampMicrosecond('UTC'),
    list: new List(new Field('item', new Int32(), true)),
    inner: new Struct([new Field('a', new Int32(), true), new Field('b', new Utf8(), true)]),
  }).map(([name, type]) => new Field(name, type, true)),
);

function decode(documents: object[], isOpen = false): Record<string, unknown>[] {
  const decoder = new DocumentDecoder(schema, 2, isOpen);
  // Documents of one reply lie in one buffer.
  const parts = documents.map((document) => BSON.serialize(document));
  const reply = Buffer.concat([Buffer.from('reply'), ...parts]);
  let at = 5;
  for (const { length } of parts) {
    decoder.add(reply.subarray(at, at + length));
    at += length;
  }
  return JSON.parse(text(new Table([decoder.finish()])));
}

const text = (table: Table): string =>
  JSON.stringify(table.toArray(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
const expected = (rows: Record<string, unknown>[]): unknown => JSON.parse(text(new Table([batchOfRows(schema, rows)])));
const unscaled = (value: string): Decimal128 => Decimal128.fromString(value);

describe('columns of raw documents', () => {
  it('have each type, nulls and missing fields, in any order of fields', () => {
    const at = new Date(-1);
    const documents = [
      {
        i: new BsonInt32(-5),
        l: Long.fromString('-9223372036854775808'),
        d: 0.1,
        n: unscaled('-12.5'),
        t: 'é😀',
        at,
        list: [1, null, -3],
        inner: { a: 1, b: 'x' },
      },
      { t: '', inner: null, list: [], d: new Double(-0), i: null },
      {},
      { l: new BsonInt32(7), d: new BsonInt32(3), at: Long.fromNumber(1), inner: { b: 'y' } },
      { t: new ObjectId('00112233445566778899aabb') },
    ];
    expect(decode(documents)).toEqual(
      expected([
        { i: -5, l: -(2n ** 63n), d: 0.1, n: '-12.50', t: 'é😀', at, list: [1, null, -3], inner: { a: 1, b: 'x' } },
        { t: '', list: [], d: -0 },
        {},
        { l: 7n, d: 3, at: 1n, inner: { b: 'y' } },
        { t: '00112233445566778899aabb' },
      ]),
    );
  });

  it.each([
    '0',
    '0.00',
    '-0.01',
    '1E+3',
    '12345678901234567890123456789012.34',
    '-45035996273704.97',
    '1.500000000',
    '90071992547409.93',
  ])('have the decimal %s', (value) => {
    expect(decode([{ n: unscaled(value) }])).toEqual(expected([{ n: value }]));
  });

  it.each([
    [{ i: 1.5 }, 'column i: got "double"'],
    [{ i: Long.fromNumber(1) }, 'column i: got "int64"'],
    [{ l: 'x' }, 'column l: got "text"'],
    [{ n: 1.5 }, 'column n: got "double"'],
    [{ n: unscaled('0.001') }, 'column n: got "0.001"'],
    [{ n: unscaled('NaN') }, 'column n: got "NaN"'],
    [{ t: new Binary(Buffer.from('x')) }, 'column t: got "binary"'],
    [{ list: 1 }, 'column list: got 1'],
    [{ inner: { a: 'x' } }, 'column inner.a: got "x"'],
    [{ other: 1 }, 'column other: got "a value", expected no such field'],
  ])('reject a value that does not fit: %j', (document, message) => {
    expect(() => decode([{}, document])).toThrow(message);
  });

  it.each(['i', 't', 'inner'])('reject a document with two fields named %s', (name) => {
    // The driver writes no such document; other clients do.
    const elements = Buffer.from(BSON.serialize({ i: 1, t: 'x', inner: { a: 1 } }));
    const twice = Buffer.concat([elements.subarray(0, -1), elements.subarray(4)]);
    twice.writeInt32LE(twice.length);
    const decoder = new DocumentDecoder(new Schema(schema.fields.filter((field) => field.name === name)), 2, true);
    expect(() => decoder.add(twice)).toThrow(`column ${name}: got "a second value", expected one field of that name`);
  });

  it('ignore further fields of loaded collections', () => {
    expect(decode([{ a: [1, { b: 2 }], i: 1, z: 'x', t: 'y' }], true)).toEqual(expected([{ i: 1, t: 'y' }]));
  });

  it('reject a document that is cut off, at each byte', () => {
    const bytes = BSON.serialize({ i: 1, t: 'text', n: unscaled('1.5'), list: [1] });
    for (let end = 0; end < bytes.length; end++) {
      const part = Buffer.from(bytes.subarray(0, end));
      if (end >= 4) part.writeInt32LE(end);
      const decoder = new DocumentDecoder(schema, 2, false);
      expect(() => decoder.add(part), `cut at ${end}`).toThrow(expect.objectContaining({ code: 'TB_SOURCE_DAMAGED' }));
    }
  });
});

describe('columns of a collection', () => {
  let server: StoreServer | undefined;
  let client: MongoClient;
  let missing = '';

  beforeAll(async () => {
    try {
      server = await startServer({ engine: 'mongodb' });
    } catch (error) {
      if (!(error instanceof TopoBenchError) || error.code !== 'TB_STORE_NO_SERVER' || process.env.CI) throw error;
      missing = error.message;
      return;
    }
    client = await MongoClient.connect(server.url);
  });

  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  const open = (collection: string): Promise<Source> =>
    openSource({ kind: 'mongodb', url: server?.url ?? '', database: 'columns', collection });

  it('are the rows that were loaded, in batches of the given size', async ({ skip }) => {
    if (missing) skip(missing);
    const data = storeSalesData({ rows: 2500, seed: 3 });
    const table = { kind: 'mongodb', url: server?.url ?? '', database: 'columns', collection: 'sales' } as const;
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

  it('name the document and the field of another type', async ({ skip }) => {
    if (missing) skip(missing);
    const rows = client.db('columns').collection<{ _id: number; v: unknown }>('mixed');
    await rows.insertMany(Array.from({ length: 1200 }, (_, _id) => ({ _id, v: _id === 1100 ? 'x' : _id })));
    const source = await open('mixed');
    const reading = (async () => {
      for await (const _ of source.columns({ batchRows: 100, connections: 1 })) {
      }
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'TB_SOURCE_VALUE',
      message: expect.stringContaining('document 1100, column v: got "text"'),
    });
    await source.close();
  });
});
