/** A read of many batches keeps only those in flight. */
import { Field, Int32, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { expect, it } from 'vitest';
import { FlightClient, FlightServer } from '../../src/index.ts';

const schema = new Schema([new Field('n', new Int32(), false)]);
const [rows, batches] = [2 ** 21, 40];

function batchOf(first: number): RecordBatch {
  const data = new Int32Array(rows).fill(first);
  const children = [makeData({ type: new Int32(), length: rows, nullCount: 0, data })];
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }));
}

it('a server drops the batches that it has sent', async () => {
  async function* made(): AsyncGenerator<RecordBatch> {
    for (let n = 0; n < batches; n++) yield batchOf(n);
  }
  const server = new FlightServer({ doGet: () => ({ schema, batches: made() }) });
  const client = new FlightClient(await server.listen());
  let [count, peak] = [0, 0];
  const before = process.memoryUsage().arrayBuffers;
  for await (const batch of await client.doGet(Buffer.from('many'))) {
    expect(batch.getChildAt(0)?.get(rows - 1)).toBe(count);
    count++;
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }
  await client.close();
  await server.close();
  expect(count).toBe(batches);
  // All batches are 336 MB.
  expect(peak).toBeLessThan(168e6);
});
