/**
 * Every type of apache-arrow through the C++ implementation: what it reads, checks and writes back must be what was
 * sent.
 */
import type { RecordBatch } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import type { FlightInfo } from '../../src/protocol/flight-info.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { everyColumn, everyTypeBatch, valuesOf } from '../fixtures/every-type.ts';
import { missingModule, runPython, startPython } from '../fixtures/python.ts';

const missing = missingModule('pyarrow.flight');
const columns = everyColumn();
const batches = new Map<string, RecordBatch>([
  ...Object.entries(columns).map(([name, column]): [string, RecordBatch] => [name, everyTypeBatch({ [name]: column })]),
  ['everything', everyTypeBatch(columns)],
]);

/** What pyarrow must see in some of the columns; the rest is compared on its way back. */
const seenByPython = {
  int64: [1, -2, null, '9223372036854775807', '-9223372036854775808'],
  utf8: ['red', null, 'blå', '', 'a text of more than twelve bytes'],
  utf8View: ['red', null, 'blå', '', 'a text of more than twelve bytes'],
  list: [[1, 2], null, [], [3], [4, null, 5]],
  fixedList: [[1, 2], null, [3, 4], [5, null], [7, 8]],
  struct: [{ name: 'a', count: 1 }, null, { name: null, count: 2 }, { name: '', count: null }, { name: 'ü', count: 5 }],
  dictionaryInt8: ['eu', 'us', null, 'eu', 'apac'],
  denseUnion: [1, 'a', null, 'b', 'ç'],
  sparseUnion: [1, 'a', null, 'b', 'ç'],
};

interface Seen {
  rows: number;
  values: unknown[] | null;
}

function expectSame(received: readonly RecordBatch[] | undefined, name: string): void {
  const sent = batches.get(name) as RecordBatch;
  expect(received?.map(valuesOf), name).toEqual([valuesOf(sent)]);
  expect(String(received?.[0]?.schema), name).toBe(String(sent.schema));
  expect(
    received?.[0]?.schema.fields.map(({ metadata }) => metadata),
    name,
  ).toEqual(sent.schema.fields.map(({ metadata }) => metadata));
}

async function all(source: AsyncIterable<RecordBatch>): Promise<RecordBatch[]> {
  const items: RecordBatch[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe.skipIf(missing)(`every type is returned unchanged by pyarrow ${missing ?? ''}`, () => {
  it.each(['none', 'lz4', 'zstd'])('when it is the client, and compresses with: %s', async (compression) => {
    const received = new Map<string, RecordBatch[]>();
    const server = new FlightServer({
      *listFlights() {
        for (const [name, { schema }] of compression === 'none' ? batches : [...batches].slice(-1)) {
          const descriptor = { path: [name] };
          const endpoints = [{ ticket: Buffer.from(name), locations: [] }];
          yield { schema, descriptor, endpoints, totalRecords: 5, totalBytes: -1 } satisfies FlightInfo;
        }
      },
      doGet(ticket) {
        const batch = batches.get(Buffer.from(ticket).toString()) as RecordBatch;
        return { schema: batch.schema, batches: [batch] };
      },
      async doPut({ descriptor, chunks }) {
        const kept: RecordBatch[] = [];
        for await (const { batch } of chunks) if (batch) kept.push(batch);
        received.set((descriptor.path ?? []).join(), kept);
      },
    });
    try {
      const seen = await runPython<Record<string, Seen>>('client.py', await server.listen(), 'round-trip', compression);
      for (const name of Object.keys(seen)) expectSame(received.get(name), name);
      expect(Object.keys(seen)).toContain('everything');
      if (compression !== 'none') return;
      expect(Object.keys(seen)).toEqual([...batches.keys()]);
      for (const [name, values] of Object.entries(seenByPython))
        expect([name, seen[name]?.values]).toEqual([name, values]);
    } finally {
      await server.close(0);
    }
  });

  it('when it is the server', async () => {
    const server = await startPython('server.py');
    const client = new FlightClient(server.location);
    try {
      for (const [name, batch] of batches) {
        const writer = await client.doPut({ path: [name] }, batch.schema);
        await writer.write(batch);
        await writer.finish();
        expectSame(await all(await client.doGet(Buffer.from(`upload ${name}`))), name);
      }
    } finally {
      await client.close();
      await server.stop();
    }
  });
});
