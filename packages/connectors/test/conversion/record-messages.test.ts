/** Rows from hand-written messages of a socket, and from a socket that ends too early. */
import { Field, Int32, Schema, Utf8 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { rowsOfMessages } from '../../src/conversion/record-messages.ts';
import { ProtobufWriter } from '../../src/schema/protobuf-writer.ts';

const schema = new Schema([new Field('name', new Utf8(), true), new Field('id', new Int32(), true)]);

/** Columns of the record in the order of their names: `id`, `name`. */
function recordsOf(count: number, stream = 'sales'): Buffer {
  const writer = new ProtobufWriter();
  for (let id = 0; id < count; id++)
    writer.delimited(() =>
      writer.message(1, () => {
        writer.text(2, stream);
        writer.uint(3, 1);
        // A field of a later version.
        writer.double(99, 1);
        writer.message(5, () => writer.sint(3, -id));
        writer.message(5, () => (id === 1 ? writer.uint(13, 1) : writer.text(2, `n${id}`)));
      }),
    );
  writer.delimited(() => writer.text(2, '{"type":"STATE"}'));
  return writer.take();
}

const line = (message: object): string => `${JSON.stringify(message)}\n`;
const stream_descriptor = { name: 'sales' };
const state = (recordCount: number): string =>
  line({ type: 'STATE', state: { type: 'STREAM', stream: { stream_descriptor }, sourceStats: { recordCount } } });
const complete = line({
  type: 'TRACE',
  trace: { type: 'STREAM_STATUS', stream_status: { stream_descriptor, status: 'COMPLETE' } },
});
const failure = line({ type: 'TRACE', trace: { type: 'ERROR', error: { message: 'store is gone' } } });

async function read(bytes: Buffer, text: string): Promise<object[]> {
  const rows: object[] = [];
  const parts = async function* <Part extends Buffer | string>(whole: Part): AsyncGenerator<Part> {
    for (let at = 0; at < whole.length; at += 3) yield whole.slice(at, at + 3) as Part;
  };
  const channels = { records: parts(bytes), lines: parts(text) };
  for await (const batch of rowsOfMessages(channels, { name: 'sales' }, schema, 2)) rows.push(...batch);
  return rows;
}

describe('messages of a socket', () => {
  it('are rows with the values of their columns, without those of other streams', async () => {
    const bytes = Buffer.concat([recordsOf(1, 'other'), recordsOf(3)]);
    expect(await read(bytes, state(3) + complete)).toEqual([
      { id: 0, name: 'n0' },
      { id: -1, name: null },
      { id: -2, name: 'n2' },
    ]);
  });

  it.each([
    ['a connector that was killed', recordsOf(3), state(3), /incomplete: got 3, and no end/],
    ['lost records', recordsOf(3), state(4) + complete, /incomplete: got 3, expected 4/],
    ['a failure of the connector', recordsOf(3), failure, /store is gone/],
    ['a message that was cut', recordsOf(3).subarray(0, -1), state(3) + complete, /last message .* is incomplete/],
  ])('end with an error after %s', async (_, bytes, text, message) => {
    await expect(read(bytes, text)).rejects.toThrow(message);
  });

  it('with another number of values than columns are an error', async () => {
    const writer = new ProtobufWriter();
    writer.delimited(() => writer.message(1, () => writer.text(2, 'sales')));
    await expect(read(writer.take(), complete)).rejects.toThrow('a record with 0 values, expected 2');
  });
});
