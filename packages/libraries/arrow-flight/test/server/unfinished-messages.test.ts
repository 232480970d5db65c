/** What callers can make a server keep that never finish their messages: a bounded number of bytes. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type OutgoingHttpHeaders } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { grpcCodes } from '../../src/grpc/codes.ts';
import { FlightServer, type FlightServerOptions } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema, numbersService } from '../numbers-service.ts';
import { all, closing, serve, until } from './served-numbers.ts';

const mebibyte = 1024 ** 2;

async function serverOf(options: FlightServerOptions): Promise<string> {
  const server = new FlightServer(numbersService().service, options);
  closing.push(() => server.close(0));
  return (await server.listen()).replace('grpc+tcp', 'http');
}

function session(url: string): ClientHttp2Session {
  const session = connect(url);
  closing.push(async () => session.destroy());
  return session;
}

interface UnfinishedCall {
  stream: ClientHttp2Stream;
  /** gRPC status; undefined while the call is open. */
  status: number | undefined;
  /** Its bytes have been sent. */
  sent: Promise<void>;
}

/** A call that announces a message of `size` bytes and sends `sent` of them. */
function begin(
  on: ClientHttp2Session,
  method: string,
  size: number,
  sent: number,
  headers: OutgoingHttpHeaders = {},
): UnfinishedCall {
  const path = `/arrow.flight.protocol.FlightService/${method}`;
  const stream = on.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', ...headers });
  const frame = Buffer.alloc(5 + sent);
  frame.writeUInt32BE(size, 1);
  const call: UnfinishedCall = {
    stream,
    status: undefined,
    sent: new Promise((resolve) => stream.write(frame, () => resolve())),
  };
  stream.on('response', (answer) => {
    call.status = Number(answer['grpc-status']);
  });
  stream.on('error', () => {});
  return call;
}

const basic = { authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` };
const check = (): boolean => true;

describe('a call before its login', () => {
  it('is refused when its handshake is longer than names and passwords are', async () => {
    const on = session(await serverOf({ authentication: { check } }));
    const long = begin(on, 'Handshake', 100 * mebibyte, 10);
    const short = begin(on, 'Handshake', 16_384, 10);
    await until(() => long.status !== undefined);
    expect([long.status, short.status]).toEqual([grpcCodes['resource-exhausted'], undefined]);
  });

  it('ends at its time limit, whether it is a handshake or another call', async () => {
    const never = { check: () => new Promise<boolean>(() => {}) };
    const on = session(await serverOf({ authentication: never, beforeLogin: { timeoutMs: 50 } }));
    const calls = [begin(on, 'Handshake', 1000, 10), begin(on, 'DoPut', 1000, 10, basic)];
    await until(() => calls.every(({ status }) => status !== undefined));
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => grpcCodes['deadline-exceeded']));
  });

  it('shares a limit of bytes with the other such calls of its connection', async () => {
    const logins: ((isRight: boolean) => void)[] = [];
    const slow = { check: () => new Promise<boolean>((resolve) => void logins.push(resolve)) };
    const url = await serverOf({ authentication: slow, beforeLogin: { bytes: 100_000 } });
    const on = session(url);
    const [first, second] = [1, 2].map(() => begin(on, 'DoPut', mebibyte, 60_000, basic));
    await until(() => second?.status !== undefined);
    const elsewhere = begin(session(url), 'DoPut', mebibyte, 60_000, basic);
    await until(() => logins.length === 3);
    expect([first?.status, second?.status, elsewhere.status]).toEqual([
      undefined,
      grpcCodes['resource-exhausted'],
      undefined,
    ]);
    // A caller that is known returns its share.
    logins[0]?.(true);
    const third = begin(on, 'DoPut', mebibyte, 60_000, basic);
    await third.sent;
    await new Promise((resolve) => on.ping(resolve));
    expect([first?.status, third.status]).toEqual([undefined, undefined]);
  });

  it('may send what it likes, and for as long, once the login is right', async () => {
    const { client } = await serve({ authentication: { check }, beforeLogin: { bytes: 300_000, timeoutMs: 50 } });
    await client.authenticateBasic('ada', 'secret');
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    await writer.write(numbersBatch(10_000), Buffer.from('now'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await writer.write(numbersBatch(10_000), Buffer.from('now'));
    expect(await writer.finish()).toHaveLength(2);
  });
});

describe('unfinished messages', () => {
  it('share a limit of bytes on their connection', async () => {
    const on = session(await serverOf({ unfinished: { perConnection: 2 * mebibyte } }));
    const calls = [1, 2, 3].map(() => begin(on, 'DoPut', mebibyte, 1000));
    await until(() => calls[2]?.status !== undefined);
    expect(calls.map(({ status }) => status)).toEqual([undefined, undefined, grpcCodes['resource-exhausted']]);
    // A call that ends returns its share.
    calls[0]?.stream.close();
    const [next, beyond] = [begin(on, 'DoPut', mebibyte, 1000), begin(on, 'DoPut', mebibyte, 1000)];
    await until(() => beyond.status !== undefined);
    expect([next.status, beyond.status]).toEqual([undefined, grpcCodes['resource-exhausted']]);
  });

  it('share a limit of bytes over all connections, and return it with them', async () => {
    const url = await serverOf({ unfinished: { perServer: 2 * mebibyte } });
    const first = session(url);
    const second = session(url);
    const calls = [first, first, second].map((on) => begin(on, 'DoPut', mebibyte, 1000));
    await until(() => calls.some(({ status }) => status !== undefined));
    expect(calls.filter(({ status }) => status === grpcCodes['resource-exhausted'])).toHaveLength(1);
    first.destroy();
    second.destroy();
    const client = new FlightClient(url.replace('http', 'grpc+tcp'));
    closing.push(() => client.close(0));
    const upload = async (): Promise<string> => {
      const writer = await client.doPut({ path: ['x'] }, numbersSchema);
      await writer.write(numbersBatch(60_000));
      await writer.finish();
      return 'done';
    };
    // The server learns of the lost connections at some time.
    while ((await upload().catch(({ status }) => status)) === 'resource-exhausted');
    expect(await upload()).toBe('done');
  });
});

it('a batch far above the usual size arrives whole', async () => {
  const { client } = await serve();
  const exchange = await client.doExchange({ path: ['x'] });
  await exchange.begin(numbersSchema);
  const sent = numbersBatch(1_000_000, 7);
  await exchange.write(sent);
  exchange.end();
  const [received] = await all(exchange.chunks());
  const columns = (batch = received?.batch): Buffer[] =>
    batch?.data.children.map(({ values }) => Buffer.from(values.buffer, values.byteOffset, values.byteLength)) ?? [];
  expect(columns().map((column, i) => column.equals(columns(sent)[i] as Buffer))).toEqual([true, true, true, true]);
});
