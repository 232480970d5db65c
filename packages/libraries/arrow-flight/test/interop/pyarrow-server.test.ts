import type { RecordBatch } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificates } from '../../../http2/test/fixtures/certificates.ts';
import { FlightClient } from '../../src/client/flight-client.ts';
import { readFlight } from '../../src/client/read-flight.ts';
import { missingModule, startPython } from '../fixtures/python.ts';
import { numbersBatch, numbersSchema } from '../numbers-service.ts';

const missing = missingModule('pyarrow.flight');
const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString();

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

function rowsOf(batches: RecordBatch[]): number {
  return batches.reduce((sum, batch) => sum + batch.numRows, 0);
}

describe.skipIf(missing)(`our client on a pyarrow server ${missing ?? ''}`, () => {
  let server: Awaited<ReturnType<typeof startPython>>;
  let client: FlightClient;
  beforeAll(async () => {
    server = await startPython('server.py');
    client = new FlightClient(server.location);
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it('reads flights, schema, batches, results and actions', async () => {
    const descriptor = { path: ['numbers'] };
    const [flight] = await all(client.listFlights());
    expect(flight).toMatchObject({ descriptor, totalRecords: 400_000 });
    const info = await client.getFlightInfo(descriptor);
    expect(info.endpoints.map(({ ticket }) => text(ticket))).toEqual(['0', '1', '2', '3']);
    expect((await client.getSchema(descriptor)).toString()).toBe(info.schema?.toString());
    const reader = await client.doGet(bytes('0'));
    const [batch] = await all(reader);
    expect(reader.schema.names).toEqual(['a', 'b', 'c', 'd']);
    expect(batch?.toArray().at(-1)?.toJSON()).toEqual({ a: 99_999n, b: 100_000n, c: 100_001n, d: 100_002n });
    expect((await all(client.doAction({ type: 'repeat', body: bytes('ab') }))).map(text)).toEqual(['abab']);
    expect(await all(client.listActions())).toEqual([{ type: 'repeat', description: 'Sends it twice.' }]);
  });

  it('reads the parts of a flight in parallel', async () => {
    const info = await client.getFlightInfo({ path: ['numbers'] });
    expect(rowsOf(await all(readFlight(client, info)))).toBe(400_000);
    expect(rowsOf(await all(readFlight(client, info, { streams: 2 })))).toBe(400_000);
  });

  it('uploads batches, receives acknowledgements, and reads the batches back', async () => {
    const writer = await client.doPut({ path: ['mine'] }, numbersSchema);
    await writer.write(numbersBatch(1000), bytes('first'));
    await writer.write(numbersBatch(500, 7));
    await writer.write(numbersBatch(1), bytes('last'));
    expect((await writer.finish()).map(text)).toEqual(['took first', 'took last']);
    const batches = await all(await client.doGet(bytes('upload mine')));
    expect(batches.map((batch) => batch.toArray().map((row) => row?.toJSON()))).toEqual(
      [numbersBatch(1000), numbersBatch(500, 7), numbersBatch(1)].map((batch) =>
        batch.toArray().map((row) => row?.toJSON()),
      ),
    );
  });

  it('exchanges batches and metadata both ways', async () => {
    const exchange = await client.doExchange({ command: bytes('echo') });
    await exchange.begin(numbersSchema);
    await exchange.write(numbersBatch(10), bytes('with batch'));
    await exchange.write(undefined, bytes('alone'));
    exchange.end();
    const chunks = await all(exchange.chunks());
    expect(chunks.map(({ batch, appMetadata }) => [batch?.numRows, text(appMetadata)])).toEqual([
      [10, 'with batch'],
      [undefined, 'alone'],
    ]);
  });

  it('reads a stream of a gigabyte', async () => {
    let rows = 0;
    for await (const batch of await client.doGet(bytes(`bytes ${320 * 3_200_000}`))) rows += batch.numRows;
    expect(rows).toBe(320 * 100_000);
  });

  it('refuses a message above its size limit', async () => {
    const careful = new FlightClient(server.location, { maxMessageBytes: 100_000 });
    await expect(careful.doGet(bytes('0')).then(all)).rejects.toMatchObject({
      status: 'resource-exhausted',
      message: expect.stringContaining('more than the 100000 accepted here'),
    });
    expect(await all(careful.listActions())).toHaveLength(1);
    await careful.close();
  });

  it('stops a stream in the middle and continues with the next call', async () => {
    for await (const _ of await client.doGet(bytes(`bytes ${10 ** 12}`))) break;
    expect(await all(client.listActions())).toHaveLength(1);
  });

  it('fails with the status of the server', async () => {
    await expect(all(client.doAction({ type: 'denied', body: bytes('') }))).rejects.toMatchObject({
      status: 'permission-denied',
      message: expect.stringContaining('not for you'),
    });
    await expect(client.doGet(bytes('none'))).rejects.toMatchObject({
      code: 'FLIGHT_CALL',
      message: expect.stringContaining('no such ticket'),
    });
  });
});

describe.skipIf(missing)(`our client and a pyarrow server that ends ${missing ?? ''}`, () => {
  it('fails as unavailable after the received batches, and drops its connection', async () => {
    const server = await startPython('server.py');
    const client = new FlightClient(server.location);
    let batches = 0;
    const read = async (): Promise<void> => {
      for await (const _ of await client.doGet(bytes('dies'))) batches++;
    };
    await expect(read()).rejects.toMatchObject({
      status: 'unavailable',
      message: expect.stringContaining('was cut before its end'),
    });
    expect(batches).toBe(3);
    await expect(all(client.listActions())).rejects.toMatchObject({ status: 'unavailable' });
    await client.close();
    await server.stop();
  });
});

describe.skipIf(missing)(`our client on a guarded pyarrow server ${missing ?? ''}`, () => {
  let client: FlightClient | undefined;
  afterEach(() => client?.close());

  it('logs in by handshake', async () => {
    const server = await startPython('server.py', 'login');
    try {
      client = new FlightClient(server.location);
      await expect(all(client.listActions())).rejects.toMatchObject({ status: 'unauthenticated' });
      await expect(client.handshake('ada', 'wrong')).rejects.toMatchObject({ status: 'unauthenticated' });
      await client.handshake('ada', 'secret');
      expect(await all(client.listActions())).toHaveLength(1);
    } finally {
      await client?.close();
      await server.stop();
    }
  });

  it('shows its certificate, and is refused without one', async () => {
    const { files, ca, certificate, key, remove } = makeCertificates();
    const server = await startPython('server.py', ...files);
    try {
      client = new FlightClient(server.location, { tls: { ca, certificate, key } });
      expect(await all(client.listActions())).toHaveLength(1);
      const stranger = new FlightClient(server.location, { tls: { ca } });
      await expect(all(stranger.listActions())).rejects.toMatchObject({ status: 'unavailable' });
      await stranger.close();
    } finally {
      await client?.close();
      await server.stop();
      remove();
    }
  });
});
