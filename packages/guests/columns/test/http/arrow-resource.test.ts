/** The resource over real HTTP: forms, back-pressure to the source, and an end when either side goes. */
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadCodecs, readStream } from '@topo-bench/arrow-flight/ipc';
import { TopoBenchError } from '@topo-bench/core';
import { type RecordBatch, tableFromIPC } from 'apache-arrow';
import { afterEach, expect, test } from 'vitest';
import { type ArrowSource, answerArrow } from '../../src/http/arrow-resource.ts';
import { SeededTable } from '../../src/table/seeded-table.ts';

const arrow = 'application/vnd.apache.arrow.stream';
const text = { category: 'none', nulls: 0, size: 8, values: undefined };
const table = new SeededTable(
  {
    rows: 2500,
    batchRows: 1000,
    columns: [
      { ...text, name: 'id', type: 'int64' },
      { ...text, name: 'region', type: 'text', values: ['eu', 'us'], nulls: 0.2 },
      { ...text, name: 'consents', type: 'texts', values: ['analytics', 'marketing'] },
      { ...text, name: 'at', type: 'timestamp' },
    ],
    facts: { class: 'row', purpose: 'contract' },
  },
  'svc-1',
  7,
);

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serve(open: () => ArrowSource): Promise<string> {
  const server = createServer((request, response) => void answerArrow(request, response, open).catch(() => {}));
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/arrow`;
}

const whole = (): ArrowSource => ({ schema: table.schema, batches: (signal) => table.batches(signal) });

test('Arrow, JSON and NDJSON contain the same rows', async () => {
  const url = await serve(whole);
  const columns = tableFromIPC(new Uint8Array(await (await fetch(url)).arrayBuffer()));
  const json = (await (await fetch(url, { headers: { accept: 'application/json' } })).json()) as Record<
    string,
    unknown
  >[];
  const lines = (await (await fetch(url, { headers: { accept: 'application/x-ndjson' } })).text())
    .trimEnd()
    .split('\n');
  expect(columns.numRows).toBe(2500);
  expect(columns.batches.map(({ numRows }) => numRows)).toEqual([1000, 1000, 500]);
  expect(lines.map((line) => JSON.parse(line))).toEqual(json);
  const ids = columns.getChild('id')!;
  const regions = columns.getChild('region')!;
  for (const row of [0, 1, 1234, 2499]) {
    expect(json[row]!.id).toBe(Number(ids.get(row)));
    expect(json[row]!.region).toBe(regions.get(row) ?? undefined);
    expect(json[row]!.at).toMatch(/^2024-01-01T/);
  }
});

test.each(['lz4', 'zstd'] as const)('%s compresses the stream on request, and makes it smaller', async (codec) => {
  const url = await serve(whole);
  const plain = await (await fetch(url)).arrayBuffer();
  const response = await fetch(url, { headers: { accept: `${arrow}; codecs="${codec}"` } });
  expect(response.headers.get('content-type')).toBe(`${arrow}; codecs="${codec}"`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes.length).toBeLessThan(plain.byteLength);
  let rows = 0;
  for await (const batch of readStream([bytes], { codecs: await loadCodecs() })) rows += batch.numRows;
  expect(rows).toBe(2500);
});

test('a stream is the same in every process and at any time', async () => {
  const url = await serve(whole);
  const [first, second] = await Promise.all([fetch(url), fetch(url)]);
  expect(Buffer.from(await first.arrayBuffer()).equals(Buffer.from(await second.arrayBuffer()))).toBe(true);
});

test('other representations are 406, and a stream that rules refuse is 403', async () => {
  const url = await serve(() => {
    throw new TopoBenchError('TB_ARROW_DENIED', 'the rule "no" refuses this stream as a whole');
  });
  expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(406);
  const denied = await fetch(url);
  expect(denied.status).toBe(403);
  expect(await denied.json()).toEqual({ error: 'denied', message: 'the rule "no" refuses this stream as a whole' });
});

/** A source without end that records how far it was read, and whether it has ended. */
function endless(): { source: ArrowSource; state: { batches: number; aborted: boolean; ended: boolean } } {
  const state = { batches: 0, aborted: false, ended: false };
  const big = new SeededTable(
    {
      rows: 100_000,
      batchRows: 100_000,
      columns: [{ ...text, name: 'id', type: 'int64' }],
      facts: { class: 'row', purpose: 'contract' },
    },
    'svc-1',
    7,
  );
  async function* batches(signal: AbortSignal): AsyncGenerator<RecordBatch> {
    signal.addEventListener('abort', () => {
      state.aborted = true;
    });
    try {
      for (;;) {
        for await (const batch of big.batches()) {
          state.batches++;
          yield batch;
        }
      }
    } finally {
      state.ended = true;
    }
  }
  return { source: { schema: big.schema, batches }, state };
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition() && waited < 20_000; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

test('a client that does not read pauses the source, and a disconnect ends it', async () => {
  const { source, state } = endless();
  const url = await serve(() => source);
  const response = await new Promise<IncomingMessage>((resolve) => void get(url, resolve));
  response.pause();
  await until(() => state.batches > 0);
  // What sockets and buffers of both sides hold; after that there are no more reads.
  let before = -1;
  await until(() => {
    const stands = before === state.batches && before > 0;
    before = state.batches;
    return stands;
  });
  const held = state.batches;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(state.batches - held).toBeLessThanOrEqual(1);
  response.destroy();
  await until(() => state.ended);
  expect(state).toMatchObject({ aborted: true, ended: true });
});

test('a failing source closes the connection, so that a part cannot pass for the whole', async () => {
  async function* batches(): AsyncGenerator<RecordBatch> {
    yield* table.batches();
    throw new Error('the store has gone');
  }
  const url = await serve(() => ({ schema: table.schema, batches }));
  const response = await fetch(url);
  await expect(response.arrayBuffer()).rejects.toThrow();
});
