/** Uploads that become larger than what was sent: compressed batches, and dictionaries that grow. */
import {
  Dictionary,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { loadCodec } from '../../src/ipc/index.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import type { FlightService } from '../../src/server/flight-service.ts';
import { numbersSchema } from '../numbers-service.ts';
import { closing, serve } from './served-numbers.ts';

const maxMessageBytes = 100_000;

/** Four columns of `rows` zeros, which compress to almost nothing. */
function zeros(rows: number): RecordBatch {
  const children = numbersSchema.fields.map(() =>
    makeData({ type: new Int64(), length: rows, nullCount: 0, data: new BigInt64Array(rows) }),
  );
  const type = new Struct(numbersSchema.fields);
  return new RecordBatch(numbersSchema, makeData({ type, length: rows, nullCount: 0, children }));
}

describe.each(['lz4', 'zstd'] as const)('a batch compressed with %s', (name) => {
  it('has the limit of a message after decompression too', async () => {
    const { client } = await serve({ maxMessageBytes });
    const codec = await loadCodec(name);
    const upload = async (rows: number): Promise<unknown> => {
      const writer = await client.doPut({ path: ['x'] }, numbersSchema, { codec });
      await writer.write(zeros(rows));
      return writer.finish();
    };
    await upload(3000);
    await expect(upload(3200)).rejects.toMatchObject({
      status: 'invalid-argument',
      message: expect.stringContaining(`exceeds the limit of ${maxMessageBytes} bytes`),
    });
  });
});

describe('the dictionaries of an upload', () => {
  const type = new Dictionary(new Utf8(), new Int32(), 7);
  const schema = new Schema([new Field('word', type, false)]);
  const batchOf = (dictionary: Vector): RecordBatch => {
    const column = makeData({ type, length: 1, nullCount: 0, data: new Int32Array(1), dictionary });
    return new RecordBatch(
      schema,
      makeData({ type: new Struct(schema.fields), length: 1, nullCount: 0, children: [column] }),
    );
  };
  const words = (): Vector => vectorFromArray(['x'.repeat(30_000)], new Utf8());

  async function upload(batches: Iterable<RecordBatch>): Promise<number> {
    let rows = 0;
    const service: FlightService = {
      async doPut({ chunks }) {
        for await (const { batch } of chunks) rows += batch?.numRows ?? 0;
      },
    };
    const server = new FlightServer(service, { maxMessageBytes });
    const client = new FlightClient(await server.listen());
    closing.push(
      () => server.close(0),
      () => client.close(0),
    );
    const writer = await client.doPut({ path: ['x'] }, schema);
    for (const batch of batches) await writer.write(batch);
    await writer.finish();
    return rows;
  }

  function* growing(steps: number): Generator<RecordBatch> {
    let dictionary = words();
    for (let step = 1; step <= steps; step++, dictionary = dictionary.concat(words())) yield batchOf(dictionary);
  }

  it('have the limit of a message together, however small each addition is', async () => {
    expect(await upload(growing(3))).toBe(3);
    await expect(upload(growing(4))).rejects.toMatchObject({
      status: 'invalid-argument',
      message: expect.stringContaining(`dictionaries of a stream exceed the limit of ${maxMessageBytes} bytes`),
    });
  });

  it('may be replaced any number of times', async () => {
    expect(await upload(Array.from({ length: 20 }, () => batchOf(words())))).toBe(20);
  });
});
