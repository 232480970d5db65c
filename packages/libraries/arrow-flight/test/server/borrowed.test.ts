/** Memory that is used again must never be seen by a reader that is not done, and must be used again. */
import type { RecordBatch } from 'apache-arrow';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema } from '../numbers-service.ts';

/** Batches of various sizes, small and large ones in turn; each begins with another number. */
const sizes = Array.from({ length: 40 }, (_, i) => [3, 20_000, 21_000, 100_000, 700][i % 5] as number);

/** A number that depends on every value of the batch. */
function fingerprint(batch: RecordBatch): bigint {
  let sum = 0n;
  for (const column of batch.data.children) {
    for (const [row, value] of (column.values as BigInt64Array).entries())
      sum = (sum * 31n + value + BigInt(row)) % 1_000_000_007n;
  }
  return sum;
}

const sent = sizes.map((rows, i) => numbersBatch(rows, 1000 * i));
const expected = sent.map(fingerprint);
const memoryOf = (batch: RecordBatch): ArrayBufferLike => batch.data.children[0]?.values.buffer as ArrayBuffer;
const uploads: { sums: bigint[]; memories: Set<ArrayBufferLike>; areBorrowed: boolean }[] = [];

const server = new FlightServer({
  doGet: () => ({ schema: numbersSchema, batches: sent }),
  async doPut({ descriptor, chunks, borrowedChunks }) {
    const areBorrowed = descriptor.path?.[0] === 'borrowed';
    const kept: RecordBatch[] = [];
    const sums: bigint[] = [];
    const memories = new Set<ArrayBufferLike>();
    for await (const { batch } of areBorrowed ? borrowedChunks : chunks) {
      if (!batch) continue;
      // What is not borrowed is looked at when all has come.
      if (areBorrowed) sums.push(fingerprint(batch));
      else kept.push(batch);
      memories.add(memoryOf(batch));
    }
    uploads.push({ sums: areBorrowed ? sums : kept.map(fingerprint), memories, areBorrowed });
  },
});
let client: FlightClient;
beforeAll(async () => {
  client = new FlightClient(await server.listen());
});
afterAll(async () => {
  await client.close(0);
  await server.close(0);
});

it('borrowed batches of a download are correct until the next read, in reused memory', async () => {
  const memories = new Set<ArrayBufferLike>();
  const sums: bigint[] = [];
  for await (const { batch } of (await client.doGet(Buffer.from('x'))).borrowedChunks()) {
    sums.push(fingerprint(batch as RecordBatch));
    if ((batch as RecordBatch).numRows >= 20_000) memories.add(memoryOf(batch as RecordBatch));
  }
  expect(sums).toEqual(expected);
  expect(memories.size).toBeLessThan(sizes.filter((rows) => rows >= 20_000).length);
});

it('other batches of a download never change', async () => {
  const batches: RecordBatch[] = [];
  for await (const batch of await client.doGet(Buffer.from('x'))) batches.push(batch);
  expect(batches.map(fingerprint)).toEqual(expected);
});

it.each(['borrowed', 'kept'])('uploads of several calls at once are right (%s)', async (name) => {
  uploads.length = 0;
  await Promise.all(
    [1, 2, 3].map(async () => {
      const writer = await client.doPut({ path: [name] }, numbersSchema);
      for (const batch of sent) await writer.write(batch);
      await writer.finish();
    }),
  );
  expect(uploads.map(({ sums, areBorrowed }) => ({ sums, areBorrowed }))).toEqual(
    [1, 2, 3].map(() => ({ sums: expected, areBorrowed: name === 'borrowed' })),
  );
  // What is kept is never overwritten: each batch has memory of its own.
  const isReused = ({ memories }: (typeof uploads)[number]): boolean => memories.size < sizes.length / 2;
  expect(uploads.map(isReused)).toEqual([1, 2, 3].map(() => name === 'borrowed'));
});

it('a call reuses memory of an earlier call, even of another connection', async () => {
  const memoriesOf = async (): Promise<ArrayBufferLike[]> => {
    const other = new FlightClient(client.location);
    const memories: ArrayBufferLike[] = [];
    for await (const { batch } of (await other.doGet(Buffer.from('x'))).borrowedChunks()) {
      if (batch && batch.numRows === 100_000) memories.push(memoryOf(batch));
    }
    await other.close();
    return memories;
  };
  const first = new Set(await memoriesOf());
  const second = await memoriesOf();
  expect(second.filter((memory) => first.has(memory))).not.toEqual([]);
});
