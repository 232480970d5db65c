/** The converter, fed with hand-written lines of the protocol and read by a Flight client. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FlightClient, readFlight } from '@topo-bench/arrow-flight';
import { readBytesRead } from '@topo-bench/host';
import type { RecordBatch } from 'apache-arrow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Conversion, startConversion } from '../../src/conversion/convert.ts';

const json_schema = {
  type: 'object',
  properties: {
    id: { type: ['integer', 'null'], arrow_type: 'int64' },
    price: { type: ['number', 'null'], arrow_type: 'decimal128(7, 2)' },
    bytes: { type: ['string', 'null'], contentEncoding: 'base64' },
    note: { type: ['string', 'null'] },
  },
} as const;
const stream = {
  name: 'sales',
  json_schema,
  supported_sync_modes: ['full_refresh'],
  source_defined_cursor: false,
} as const;
const catalog = { streams: [{ stream, sync_mode: 'full_refresh', destination_sync_mode: 'append' }] } as const;
const settings = {
  host: '127.0.0.1',
  flightPort: 0,
  inputPort: 0,
  flightToken: 'flight',
  inputToken: 'input',
  batchRows: 3,
  compression: 'none',
} as const;

const record = (data: string): string =>
  `{"type":"RECORD","record":{"stream":"sales","data":${data},"emitted_at":1}}\n`;
const state = (recordCount: number): string =>
  `{"type":"STATE","state":{"type":"STREAM","stream":{"stream_descriptor":{"name":"sales"}},"sourceStats":{"recordCount":${recordCount}}}}\n`;
const complete =
  '{"type":"TRACE","trace":{"type":"STREAM_STATUS","emitted_at":1,"stream_status":{"stream_descriptor":{"name":"sales"},"status":"COMPLETE"}}}\n';
const error =
  '{"type":"TRACE","trace":{"type":"ERROR","emitted_at":1,"error":{"message":"store is gone","failure_type":"transient_error"}}}\n';
const ids = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => record(`{"id":${from + index}}`)).join('');

interface Values {
  id: bigint;
  price: unknown;
  bytes: Uint8Array;
  note: string;
  toJSON(): object;
}

let conversion: Conversion;
let client: FlightClient;
beforeEach(async () => {
  conversion = await startConversion(catalog, settings);
  client = new FlightClient(`grpc+tcp://127.0.0.1:${conversion.ready.flightPort}`);
});
afterEach(async () => {
  await client.close();
  await conversion.close();
});

async function feed(text: string, token = 'input'): Promise<Socket> {
  const socket = connect(conversion.ready.inputPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  // The token and the first line in one packet.
  socket.end(`${token}\n${text}`);
  return socket;
}

async function read(): Promise<RecordBatch[]> {
  await client.authenticateBasic('topo-bench', 'flight');
  const batches: RecordBatch[] = [];
  for await (const batch of readFlight(client, await client.getFlightInfo({ path: ['sales'] }))) batches.push(batch);
  return batches;
}

describe('the converter', () => {
  it('serves rows as batches of the given size, with exact values', async () => {
    const first = record(
      '{"id":9007199254740993,"price":12.50,"bytes":"AP8=","note":"1234567890123456789 \\" 9007199254740993"}',
    );
    await feed(
      `${first}{"type":"LOG","log":{"level":"INFO","message":"x"}}\n${record('{"id":null}')}${ids(3, 8)}${state(2)}${state(5)}${complete}`,
    );
    const batches = await read();
    expect(batches.map(({ numRows }) => numRows)).toEqual([3, 3, 1]);
    const [row, nulls] = (batches[0] as RecordBatch).toArray() as unknown as [Values, Values];
    expect(row.id).toBe(9007199254740993n);
    expect(String(row.price)).toBe('1250');
    expect([...row.bytes]).toEqual([0, 255]);
    expect(row.note).toBe('1234567890123456789 " 9007199254740993');
    expect(Object.values(nulls.toJSON())).toEqual([null, null, null, null]);
    await conversion.served;
  });

  it.each([
    ['a connector that was killed', ids(0, 7), /incomplete: got 7, and no end/],
    ['lost records', ids(0, 6) + state(7) + complete, /incomplete: got 6, expected 7/],
    ['a failure of the connector', ids(0, 7) + error, /store is gone/],
  ])('ends the read with an error after %s', async (_, text, message) => {
    await feed(text);
    await expect(read()).rejects.toThrow(message);
    await expect(conversion.served).rejects.toThrow(message);
  });

  it('accepts one connector, with the right token', async () => {
    const stranger = await feed(ids(0, 3) + state(3) + complete, 'wrong');
    await once(stranger, 'close');
    await feed(ids(5, 6) + state(1) + complete);
    expect((await read()).flatMap((batch) => batch.toArray().map(({ id }) => id))).toEqual([5n]);
  });

  it('is read once, with its token', async () => {
    await expect(client.getFlightInfo({ path: ['sales'] })).rejects.toMatchObject({ status: 'unauthenticated' });
    await expect(client.authenticateBasic('topo-bench', 'input')).rejects.toMatchObject({ status: 'unauthenticated' });
    await feed(ids(0, 1) + state(1) + complete);
    await read();
    await expect(read()).rejects.toMatchObject({ status: 'failed-precondition' });
  });

  it.each(['lz4', 'zstd'] as const)(
    'compresses batches with %s, and serves the same rows in fewer bytes',
    async (compression) => {
      await feed(ids(0, 5000) + state(5000) + complete);
      const bytesBefore = readBytesRead(process.pid) as number;
      const plain = (await read()).flatMap((batch) => batch.toArray().map(String));
      const plainBytes = (readBytesRead(process.pid) as number) - bytesBefore;
      await client.close();
      await conversion.close();
      conversion = await startConversion(catalog, { ...settings, batchRows: 5000, compression });
      client = new FlightClient(`grpc+tcp://127.0.0.1:${conversion.ready.flightPort}`);
      await feed(ids(0, 5000) + state(5000) + complete);
      const before = readBytesRead(process.pid) as number;
      expect((await read()).flatMap((batch) => batch.toArray().map(String))).toEqual(plain);
      expect((readBytesRead(process.pid) as number) - before).toBeLessThan(plainBytes);
    },
  );

  it('is not served when the client leaves', async () => {
    await feed(ids(0, 100_000) + state(100_000) + complete);
    await client.authenticateBasic('topo-bench', 'flight');
    for await (const _ of readFlight(client, await client.getFlightInfo({ path: ['sales'] }))) break;
    await expect(conversion.served).rejects.toThrow('the reader has left');
  });
});
