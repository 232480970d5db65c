/**
 * Everything that apache-arrow has goes through encoder and decoder, against the library's own reader and writer as
 * oracles.
 */
import { type RecordBatch, RecordBatchReader, RecordBatchStreamWriter, tableFromIPC } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import {
  BatchDecoder,
  BatchEncoder,
  encodeSchema,
  loadCodec,
  loadCodecs,
  readStream,
  writeStream,
} from '../../src/ipc/index.ts';
import { everyColumn, everyTypeBatch, valuesOf } from '../fixtures/every-type.ts';

const columns = everyColumn();
const whole = everyTypeBatch(columns);

async function bytesOf(batches: RecordBatch[], codec?: 'lz4' | 'zstd'): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const schema = (batches[0] as RecordBatch).schema;
  for await (const piece of writeStream(schema, batches, codec && (await loadCodec(codec)))) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function batchesOf(bytes: Uint8Array, chunk = bytes.length): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  );
  for await (const batch of readStream(chunks, { codecs: await loadCodecs() })) batches.push(batch);
  return batches;
}

describe('a batch of every type', () => {
  test.each(Object.keys(columns))('keeps its values: %s', async (name) => {
    const batch = everyTypeBatch({ [name]: columns[name]! });
    const [back] = await batchesOf(await bytesOf([batch]));
    expect(valuesOf(back!)).toEqual(valuesOf(batch));
    expect(String(back!.schema.fields[0]!.type)).toBe(String(batch.schema.fields[0]!.type));
    expect(back!.schema.fields[0]!.metadata).toEqual(batch.schema.fields[0]!.metadata);
  });

  test.each([undefined, 'lz4', 'zstd'] as const)('keeps its values compressed with %s', async (codec) => {
    const [back, again] = await batchesOf(await bytesOf([whole, whole], codec));
    expect(valuesOf(back!)).toEqual(valuesOf(whole));
    expect(valuesOf(again!)).toEqual(valuesOf(whole));
    expect(back!.schema.metadata).toEqual(whole.schema.metadata);
  });

  test('written here is read by the library', async () => {
    const table = tableFromIPC(await bytesOf([whole]));
    expect(valuesOf(table.batches[0]!)).toEqual(valuesOf(whole));
  });

  test('written by the library is read here', async () => {
    const bytes = RecordBatchStreamWriter.writeAll([whole]).toUint8Array(true);
    expect(valuesOf((await batchesOf(bytes))[0]!)).toEqual(valuesOf(whole));
  });

  test.each([1, 3, 7, 64])('is the same in chunks of %d bytes', async (chunk) => {
    const [back] = await batchesOf(await bytesOf([whole]), chunk);
    expect(valuesOf(back!)).toEqual(valuesOf(whole));
  });
});

describe('slices', () => {
  test.each([
    [0, 5],
    [1, 3],
    [2, 3],
    [3, 1],
    [4, 0],
  ])('from row %d, %d rows, keep their values', async (from, rows) => {
    const slice = whole.slice(from, from + rows);
    const [back] = await batchesOf(await bytesOf([slice]));
    expect(back!.numRows).toBe(rows);
    expect(valuesOf(back!)).toEqual(valuesOf(whole).map((column) => column.slice(from, from + rows)));
  });
});

describe('bodies', () => {
  test('are the buffers of the batch itself, not copies', () => {
    const batch = everyTypeBatch({ int64: columns.int64! });
    const [message] = new BatchEncoder().encode(batch);
    const values = columns.int64!.data[0]!.values as BigInt64Array;
    expect(
      message!.body.some((piece) => piece.buffer === values.buffer && piece.byteOffset === values.byteOffset),
    ).toBe(true);
  });

  test('are shared by decoded columns', () => {
    const batch = everyTypeBatch({ int64: columns.int64! });
    const [message] = new BatchEncoder().encode(batch);
    const decoder = new BatchDecoder();
    const body = new Uint8Array(Buffer.concat(message!.body));
    decoder.decode(encodeSchema(batch.schema), new Uint8Array(0));
    const back = decoder.decode(message!.metadata, body)!;
    expect((back.data.children[0]!.values as BigInt64Array).buffer).toBe(body.buffer);
  });
});

describe('dictionaries', () => {
  test('are sent once, and again only after a change', () => {
    const encoder = new BatchEncoder();
    const batch = everyTypeBatch({ region: columns.dictionaryInt8! });
    const other = everyTypeBatch({ region: everyColumn().dictionaryInt8! });
    expect(encoder.encode(batch)).toHaveLength(2);
    expect(encoder.encode(batch)).toHaveLength(1);
    expect(encoder.encode(other)).toHaveLength(2);
  });

  test('that grow are read in full', async () => {
    const [first, second] = [columns.dictionaryInt8!, columns.dictionaryInt8!.memoize()];
    const longer = second.data[0]!.dictionary!.concat(second.data[0]!.dictionary!);
    const grown = everyTypeBatch({ region: first });
    const bytes = await bytesOf([grown]);
    expect(longer.length).toBe(6);
    expect(valuesOf((await batchesOf(bytes))[0]!)).toEqual(valuesOf(grown));
  });
});

test('an empty stream has a schema and no batches', async () => {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeStream(whole.schema, [])) pieces.push(piece);
  let fields = 0;
  const onSchema = ({ fields: all }: { fields: unknown[] }): void => {
    fields = all.length;
  };
  const batches: RecordBatch[] = [];
  for await (const batch of readStream(pieces, { onSchema })) batches.push(batch);
  expect(batches).toEqual([]);
  expect(fields).toBe(whole.schema.fields.length);
  const library = [...RecordBatchReader.from(Buffer.concat(pieces))];
  expect(library.reduce((rows, { numRows }) => rows + numRows, 0)).toBe(0);
});

test('a consumer that stops early ends the source', async () => {
  let ended = false;
  async function* source(): AsyncGenerator<RecordBatch> {
    try {
      for (;;) yield whole;
    } finally {
      ended = true;
    }
  }
  for await (const batch of readStream(writeStream(whole.schema, source()))) {
    expect(batch.numRows).toBe(5);
    break;
  }
  expect(ended).toBe(true);
});
