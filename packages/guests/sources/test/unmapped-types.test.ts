/** Columns of user-supplied data whose type has no mapping to Arrow, for stores without a query to cast them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { BSON, Decimal128, Double, Long, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource, type SourceTable } from '../src/index.ts';
import { startStores, type TestStores } from './fixtures/test-stores.ts';

let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

async function expectRefused(table: SourceTable, column: string, type: string): Promise<void> {
  await expect(openSource(table)).rejects.toMatchObject({
    code: 'TB_SOURCE_TYPE',
    message: `column ${column}: got type ${type}, which has no mapping to Arrow`,
    hint: expect.stringMatching(/^(give the field one type|write the file again)/),
  });
}

describe('a collection of MongoDB is refused', () => {
  it.for<[string, unknown[], string, string]>([
    ['regular expressions', [/x/], 'value', 'regular expression'],
    ['timestamps of the oplog', [new BSON.Timestamp({ t: 1, i: 1 })], 'value', 'Timestamp'],
    ['texts after numbers', [new Double(1.5), 'x'], 'value', 'double and text in one field'],
    [
      'long integers that doubles round',
      [Long.fromString('9007199254740993'), new Double(1.5)],
      'value',
      'double, and long integers that a double rounds, in one field',
    ],
    [
      'decimals of more than 38 digits together',
      [Decimal128.fromString('1E+37'), Decimal128.fromString('0.01')],
      'value',
      'decimals of 38 digits before the point and 2 after it',
    ],
    [
      'decimals of 6,112 digits',
      [Decimal128.fromString('1E+6111')],
      'value',
      'decimals of 6112 digits before the point and 0 after it',
    ],
    ['documents after lists', [[1], { a: 1 }], 'value', 'list and document in one field'],
    ['texts after numbers in lists', [[1, 'x']], 'value[]', 'int and text in one field'],
    ['texts after numbers in documents', [{ a: 1 }, { a: 'x' }], 'value.a', 'int and text in one field'],
  ])('with %s', async ([, values, column, type], { skip }) => {
    const reason = stores.missing('mongodb');
    if (reason) skip(reason);
    const table = stores.table('mongodb', 'unmapped') as SourceTable & { kind: 'mongodb' };
    const client = await MongoClient.connect(table.url);
    try {
      const collection = client.db(table.database).collection(table.collection);
      await collection.deleteMany({});
      await collection.insertMany(values.map((value) => ({ value })));
    } finally {
      await client.close();
    }
    await expectRefused(table, column, type);
  });
});

type Columns = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

describe('a Parquet file is refused', () => {
  const nested = [
    { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    { name: 'value', type: 'INT32', repetition_type: 'OPTIONAL' },
  ] as const;
  const nanos = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } as const;
  it.each<[string, Columns, string]>([
    ['INT96', [{ name: 'value', type: 'INT96' }], 'INT96'],
    [
      'INTERVAL',
      [{ name: 'value', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' }],
      'FIXED_LEN_BYTE_ARRAY INTERVAL',
    ],
    [
      'MAP',
      [
        { name: 'value', converted_type: 'MAP', num_children: 1 },
        { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 },
        ...nested,
      ],
      'MAP',
    ],
    ['BSON', [{ name: 'value', type: 'BYTE_ARRAY', converted_type: 'BSON' }], 'BYTE_ARRAY BSON'],
    ['nanoseconds', [{ name: 'value', type: 'INT64', logical_type: nanos }], 'timestamp in nanoseconds'],
    [
      'lists of an old form',
      [
        { name: 'value', converted_type: 'LIST', num_children: 1 },
        { name: 'array', type: 'INT32', repetition_type: 'REPEATED' },
      ],
      'list of an old form',
    ],
  ])('with %s', async (name, [column, ...children], type) => {
    const writer = new ByteWriter();
    const value = { ...column, repetition_type: 'OPTIONAL' } as Columns[number];
    const schema: Columns = [{ name: 'root', num_children: 1 }, value, ...children];
    await new ParquetWriter({ writer, schema }).finish();
    const file = join(stores.folder, `${name.replaceAll(' ', '-')}.parquet`);
    await writeFile(file, writer.getBytes());
    await expectRefused({ kind: 'parquet', file }, 'value', type);
  });
});
