import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import type { FlightReader } from '../../src/client/flight-reader.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema, type Seen } from '../numbers-service.ts';
import { all, closing, serve, ticket, until } from './served-numbers.ts';
import { StallProbe } from './stall-probe.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** How far a source got in the end. */
async function settled(seen: Seen): Promise<number> {
  for (let before = -1; before !== seen.given; await sleep(100)) before = seen.given;
  return seen.given;
}

describe('a slow reader', () => {
  it('pauses the source', async () => {
    const { client, seen } = await serve();
    const reader = await client.doGet(ticket('endless'));
    const batches = reader[Symbol.asyncIterator]();
    await batches.next();
    // 320 kB each: what buffers, windows and sockets of both sides hold together stays below 40 MB.
    const ahead = await settled(seen);
    expect(ahead).toBeLessThan(125);
    for (let i = 0; i < 50; i++) await batches.next();
    expect(await settled(seen)).toBeGreaterThan(ahead);
    await batches.return?.();
    await until(() => seen.ended === 1);
  });

  it('pauses an upload', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let taken = 0;
    const server = new FlightServer({
      async doPut({ chunks }) {
        await released;
        for await (const { batch } of chunks) taken += batch?.numRows ?? 0;
      },
    });
    const client = new FlightClient(await server.listen());
    closing.push(
      () => server.close(0),
      () => client.close(0),
    );
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    const batch = numbersBatch(10_000);
    let written = 0;
    const writing = (async () => {
      for (; written < 300; written++) await writer.write(batch);
      return writer.finish();
    })();
    for (let before = -1; before !== written; await sleep(100)) before = written;
    expect(written).toBeLessThan(125);
    release();
    await writing;
    expect(taken).toBe(3_000_000);
  });
});

describe('a call aborted by its caller', () => {
  it('ends the source after a cancellation, a deadline, or a lost connection', async () => {
    const { client, seen } = await serve();
    const reader = await client.doGet(ticket('ticks'));
    const reading = all(reader);
    await until(() => seen.given > 2);
    reader.cancel();
    await expect(reading).rejects.toMatchObject({ status: 'cancelled' });
    await until(() => seen.ended === 1);

    await expect(all(await client.doGet(ticket('ticks'), { timeoutMs: 150 }))).rejects.toMatchObject({
      status: 'deadline-exceeded',
    });
    await until(() => seen.ended === 2);

    const abort = new AbortController();
    const aborted = all(await client.doGet(ticket('ticks'), { signal: abort.signal }));
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ status: 'cancelled' });
    await until(() => seen.ended === 3);

    const lost = all(await client.doGet(ticket('ticks')));
    lost.catch(() => {});
    await client.close(0);
    await expect(lost).rejects.toMatchObject({ status: expect.stringMatching(/unavailable|cancelled/) });
    await until(() => seen.ended === 4);
  });

  it.each<[string, (reader: FlightReader) => Promise<void>]>([
    ['by cancelling', async (reader) => reader.cancel()],
    [
      'by reading no further',
      async (reader) => {
        for await (const _ of reader) break;
      },
    ],
  ])('ends the source within a tenth of a second in 95% of calls, %s', async (_, giveUp) => {
    const { client, seen } = await serve();
    const probe = new StallProbe();
    closing.push(async () => probe.stop());
    const tookMs: number[] = [];
    for (let call = 0; call < 60; call++) {
      const reader = await client.doGet(ticket('ticks'));
      const start = { atMs: performance.now(), stalledMs: probe.stalledMs };
      await giveUp(reader);
      await until(() => seen.ended === seen.begun);
      tookMs.push(performance.now() - start.atMs - (probe.stalledMs - start.stalledMs));
    }
    tookMs.sort((a, b) => a - b);
    expect(tookMs[Math.ceil(0.95 * tookMs.length) - 1], `${tookMs.map((ms) => ms.toFixed())}`).toBeLessThan(100);
  });

  it('does not wait for a source that is stuck', async () => {
    const signals: AbortSignal[] = [];
    const server = new FlightServer({
      doGet: (_, { signal }) => {
        signals.push(signal);
        return {
          schema: numbersSchema,
          batches: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) },
        };
      },
    });
    const client = new FlightClient(await server.listen());
    closing.push(
      () => server.close(0),
      () => client.close(0),
    );
    const reader = await client.doGet(ticket('any'));
    expect(signals[0]?.aborted).toBe(false);
    reader.cancel();
    await until(() => signals[0]?.aborted === true);
    expect(signals[0]?.reason).toMatchObject({ status: 'cancelled' });
  });

  it('ends an upload with an error', async () => {
    const { client, seen } = await serve();
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    await writer.write(numbersBatch(10));
    await until(() => seen.uploadedRows === 10);
    writer.cancel();
    await until(() => seen.uploadEnded !== undefined);
    expect(seen.uploadEnded).toBe('cancelled');
  });
});

describe('a call fails with the matching status', () => {
  it('when the source fails in the middle, after the batches before it', async () => {
    const { client } = await serve();
    let batches = 0;
    const read = async (): Promise<void> => {
      for await (const _ of await client.doGet(ticket('fails'))) batches++;
    };
    await expect(read()).rejects.toMatchObject({ status: 'unavailable', message: 'the table is locked — try later' });
    expect(batches).toBe(3);
  });

  it('when a message exceeds the limit of its receiver', async () => {
    const { client } = await serve({ maxMessageBytes: 100_000 }, { maxMessageBytes: 100_000 });
    const tooLong = {
      status: 'resource-exhausted',
      message: expect.stringContaining('more than the 100000 accepted here'),
    };
    await expect(all(await client.doGet(ticket('part0')))).rejects.toMatchObject(tooLong);
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    await writer.write(numbersBatch(10_000)).catch(() => {});
    await expect(writer.finish()).rejects.toMatchObject(tooLong);
    expect(await all(client.listActions())).toHaveLength(1);
  });

  it('when an upload has a wrong schema, while it is still being sent', async () => {
    const { client } = await serve();
    const schema = (await import('apache-arrow')).tableFromArrays({ other: Int32Array.of(1) }).schema;
    const writer = await client.doPut({ path: ['x'] }, schema);
    await expect(all(writer.acknowledgements())).rejects.toMatchObject({
      status: 'invalid-argument',
      message: expect.stringContaining('1 columns'),
    });
  });

  it('when the verb is not implemented, and when no server listens', async () => {
    const server = new FlightServer({});
    const client = new FlightClient(await server.listen());
    closing.push(() => client.close(0));
    await expect(client.getSchema({ path: ['x'] })).rejects.toMatchObject({ status: 'unimplemented' });
    await client.close();
    await server.close();
    await expect(client.getSchema({ path: ['x'] })).rejects.toMatchObject({ status: 'unavailable' });
  });
});

describe('callers that must log in', () => {
  const check = (user: string, password: string): boolean => user === 'ada' && password === 'sécret:x';

  it('are known by their token until it expires', async () => {
    const { client, seen } = await serve({ authentication: { check, tokenLifetimeMs: 2000 } });
    await expect(all(client.listFlights())).rejects.toMatchObject({ status: 'unauthenticated' });
    await expect(client.authenticateBasic('ada', 'wrong')).rejects.toMatchObject({ status: 'unauthenticated' });
    await client.authenticateBasic('ada', 'sécret:x');
    await all(client.listFlights());
    expect(seen.users).toEqual(['ada']);
    await sleep(2050);
    await expect(all(client.listFlights())).rejects.toMatchObject({
      status: 'unauthenticated',
      message: expect.stringContaining('expired'),
    });
    await client.handshake('ada', 'sécret:x');
    await all(client.listFlights());
    expect(seen.users).toEqual(['ada', 'ada']);
  });
});

it('acknowledges uploads and echoes exchanges', async () => {
  const { client } = await serve();
  const writer = await client.doPut({ path: ['x'] }, numbersSchema);
  for (let i = 0; i < 3; i++) await writer.write(numbersBatch(5), ticket('now'));
  expect((await writer.finish()).map(text)).toEqual(['5 rows', '10 rows', '15 rows']);
  const exchange = await client.doExchange({ path: ['x'] });
  await exchange.write(undefined, ticket('before the schema'));
  await exchange.begin(numbersSchema);
  await exchange.write(numbersBatch(7, 3), ticket('beside'));
  exchange.end();
  const chunks = await all(exchange.chunks());
  expect(chunks.map(({ batch, appMetadata }) => [batch?.numRows, text(appMetadata ?? ticket(''))])).toEqual([
    [undefined, 'before the schema'],
    [7, 'beside'],
  ]);
  expect(chunks[1]?.batch?.get(0)?.toJSON()).toEqual({ a: 3n, b: 4n, c: 5n, d: 6n });
});

it('answers a non-gRPC request with an HTTP status', async () => {
  const { client } = await serve();
  const { connect } = await import('node:http2');
  const session = connect(client.location.replace('grpc+tcp', 'http'));
  const statusOf = (headers: Record<string, string>): Promise<number | undefined> => {
    return new Promise((resolve) =>
      session
        .request(headers)
        .on('response', (answer) => resolve(answer[':status']))
        .resume(),
    );
  };
  expect(await statusOf({ ':method': 'GET', ':path': '/' })).toBe(405);
  expect(await statusOf({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })).toBe(415);
  session.close();
});

it('serves any number of calls on one connection, and distinguishes finished calls from aborted ones', async () => {
  const { client } = await serve();
  for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 30 }, () => client.getSchema({ path: ['x'] })));
  for (let i = 0; i < 60; i++) {
    await Promise.all(Array.from({ length: 5 }, async () => (await client.doGet(ticket('endless'))).cancel()));
  }
  expect((await client.getSchema({ path: ['x'] })).fields).toHaveLength(4);
});
