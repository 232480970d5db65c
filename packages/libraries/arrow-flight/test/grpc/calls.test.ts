import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream, type SessionOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { FlightError } from '../../src/errors.ts';
import type { ClientCall } from '../../src/grpc/client-call.ts';
import { type CallOptions, GrpcChannel } from '../../src/grpc/grpc-channel.ts';
import { type GrpcHandler, GrpcServer, type GrpcServerOptions } from '../../src/grpc/grpc-server.ts';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function serve(
  handle: GrpcHandler,
  options?: GrpcServerOptions,
): Promise<(callOptions?: CallOptions) => ClientCall> {
  const server = new GrpcServer(new Map([['/t/Method', { handle }]]), options);
  const channel = new GrpcChannel(`http://127.0.0.1:${await server.listen()}`);
  closing.push(
    () => channel.close(0),
    () => server.close(0),
  );
  return (callOptions) => channel.call('/t/Method', callOptions);
}

it('an error message may start and end with spaces, unlike headers', async () => {
  const call = await serve(async () => {
    throw new FlightError('not-found', ' no such table: ');
  });
  for (let i = 0; i < 2; i++) {
    await expect(call().done()).rejects.toMatchObject({ status: 'not-found', message: ' no such table: ' });
  }
});

it('a timeout beyond the limit of timers is ignored', async () => {
  const call = await serve(async ({ incoming }) => void (await incoming.next()));
  const long = call({ timeoutMs: 2 ** 31 });
  setTimeout(() => long.end(), 50);
  await expect(long.done()).resolves.toBeUndefined();
});

it('a message passes a window below the default of the protocol', async () => {
  const received: number[] = [];
  const call = await serve(
    async ({ incoming }) => {
      for await (const message of incoming) received.push(message.length);
    },
    { windows: { streamBytes: 1000, connectionBytes: 1000 } },
  );
  const upload = call();
  void upload.outgoing.send(Buffer.alloc(100_000));
  upload.end();
  await upload.done();
  expect(received).toEqual([100_000]);
});

it('concurrent reads get one message each, or the end', async () => {
  const call = await serve(async ({ outgoing }) => void (await outgoing.send(Buffer.from('only'))));
  const { incoming } = call();
  const results = await Promise.all([incoming.next(), incoming.next(), incoming.next()]);
  expect(results.map(({ done, value }) => (done ? 'end' : String(value)))).toEqual(['only', 'end', 'end']);
});

/** A server of Node.js that answers in its own way. */
async function answerBy(
  answer: (stream: ServerHttp2Stream) => void,
  options: SessionOptions = {},
): Promise<GrpcChannel> {
  const server: Http2Server = createServer(options);
  server.on('stream', (stream) => {
    stream.on('error', () => {}).resume();
    answer(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const channel = new GrpcChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  closing.push(
    () => channel.close(0),
    async () => void server.close(),
  );
  return channel;
}

it('a non-gRPC response is reported by its status and type, not by its content', async () => {
  for (const [httpStatus, status] of [
    [503, 'unavailable'],
    [200, 'unknown'],
  ] as const) {
    const channel = await answerBy((stream) => {
      stream.respond({ ':status': httpStatus, 'content-type': 'text/html' });
      stream.write('<html>an answer of somebody on the way'); // And never an end.
    });
    const call = channel.call('/t/Method');
    const finding = { status, message: expect.stringContaining(`HTTP status ${httpStatus} and text/html`) };
    await expect(call.incoming.next()).rejects.toMatchObject(finding);
    await expect(call.done()).rejects.toMatchObject(finding);
  }
});

it('a server may disable the dynamic header table', async () => {
  const channel = await answerBy(
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.end();
    },
    { settings: { headerTableSize: 0 } },
  );
  for (let i = 0; i < 3; i++) {
    await expect(channel.call('/t/Method', { timeoutMs: 10_000 }).done()).resolves.toBeUndefined();
  }
});

it('the error of an unreachable host lists the result of each address', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  const lookup = (_host: string, _options: unknown, done: (error: null, found: typeof addresses) => void): void =>
    done(null, addresses);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  const channel = new GrpcChannel('http://two-addresses.test:1');
  const text = 'connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1';
  await expect(channel.call('/t/Method').done()).rejects.toMatchObject({
    status: 'unavailable',
    message: expect.stringContaining(text),
  });
  vi.restoreAllMocks();
  await channel.close(0);
});

it('a server without TLS is reported in one line, without source locations of OpenSSL', async () => {
  const server = new GrpcServer(new Map());
  const port = await server.listen();
  const channel = new GrpcChannel(`https://127.0.0.1:${port}`);
  await expect(channel.call('/t/Method').done()).rejects.toMatchObject({
    status: 'unavailable',
    message: `the call of Method at https://127.0.0.1:${port} was cut before its end: TLS failed: wrong version number`,
  });
  await channel.close(0);
  await server.close(0);
});
