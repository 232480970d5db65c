/** HTTP/2 of Node.js, which is nghttp2's, as the other side of calls that send much both ways at once. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { chunksOf } from '../../../http2/test/fixtures/random-bytes.ts';
import { type RandomStream, randomStream } from '../../../http2/test/fixtures/random-stream.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { GrpcChannel } from '../../src/grpc/grpc-channel.ts';
import { GrpcServer } from '../../src/grpc/grpc-server.ts';

const megabyte = 1_000_000;
const cases = [
  {
    what: 'the initial settings of both',
    settings: {},
    windows: { streamBytes: 65_535, connectionBytes: 65_535 },
  },
  {
    what: 'small windows',
    settings: { initialWindowSize: 1000 },
    windows: { streamBytes: 65_535, connectionBytes: 100_000 },
  },
  {
    what: 'large windows and frames',
    settings: { initialWindowSize: 8 * megabyte, maxFrameSize: 2 ** 24 - 1 },
    windows: { streamBytes: 8 * megabyte, connectionBytes: 64 * megabyte },
  },
  {
    what: 'queued calls',
    settings: { maxConcurrentStreams: 2 },
    windows: { streamBytes: megabyte, connectionBytes: megabyte },
  },
];

/** Messages of all sizes, some of them empty, two megabytes in all. */
function someMessages(random: RandomStream): Buffer[] {
  const messages: Buffer[] = [];
  for (let left = 2 * megabyte; left > 0; ) {
    const bytes = Math.min(left, Math.floor(2 ** (random.uniform() * 20)) - 1);
    messages.push(Buffer.alloc(bytes, `${bytes}.${left}.`));
    left -= Math.max(bytes, 10);
  }
  return messages;
}

const digest = (parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** @returns what came back, in frames */
async function echoOf(client: ClientHttp2Session, random: RandomStream, sent: Uint8Array): Promise<Buffer[]> {
  const stream = client.request({
    ':method': 'POST',
    ':path': '/t/Echo',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const received: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => received.push(chunk));
  const trailers = new Promise<unknown>((resolve, reject) => {
    stream.on('trailers', (fields) => resolve(fields['grpc-status']));
    stream.on('error', reject);
  });
  const closed = new Promise((resolve) => stream.on('close', resolve));
  for (const chunk of chunksOf(random, sent, 200_000)) {
    if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  stream.end();
  expect(await trailers).toBe('0');
  await closed;
  return received;
}

it.each(cases)('our server echoes to a Node.js client, with $what', async ({ settings, windows }) => {
  const random = randomStream(9113, 'node client');
  const server = new GrpcServer(
    new Map([
      [
        '/t/Echo',
        {
          handle: async ({ incoming, outgoing }) => {
            for await (const message of incoming) await outgoing.send(Buffer.from(message));
          },
        },
      ],
    ]),
    { windows, bufferBytes: 100_000 },
  );
  const client = connect(`http://127.0.0.1:${await server.listen()}`, { settings });
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const frames = someMessages(random).map(frameOf);
      expect(digest(await echoOf(client, random, Buffer.concat(frames)))).toBe(digest(frames));
    }),
  );
  client.close();
  await server.close();
});

it.each(cases)('a Node.js server echoes to our client, with $what', async ({ settings, windows }) => {
  const random = randomStream(9113, 'node server');
  const server = createServer({ settings });
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.pipe(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const channel = new GrpcChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    windows,
    bufferBytes: 100_000,
  });
  const first = channel.call('/t/Echo');
  first.end();
  await first.done(); // Now it knows how many calls are welcome at a time.
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      const messages = someMessages(random);
      const call = channel.call('/t/Echo');
      const sending = (async () => {
        for (const message of messages) await call.outgoing.send(message);
        call.end();
      })();
      const received: Buffer[] = [];
      for await (const message of call.incoming) received.push(Buffer.from(message));
      await Promise.all([sending, call.done()]);
      expect(received.map(({ length }) => length)).toEqual(messages.map(({ length }) => length));
      expect(digest(received)).toBe(digest(messages));
    }),
  );
  await channel.close();
  server.close();
});

/** More than fits into a frame of the size that both sides begin with. */
const long = 'abcdefghij'.repeat(4000);

it('headers longer than a frame pass to and from our server', async () => {
  const server = new GrpcServer(
    new Map([
      [
        '/t/Headers',
        {
          handle: async ({ headers, responseHeaders }) =>
            void Object.assign(responseHeaders, { 'x-long': headers['x-long'] }),
        },
      ],
    ]),
  );
  const client = connect(`http://127.0.0.1:${await server.listen()}`);
  const stream = client.request({
    ':method': 'POST',
    ':path': '/t/Headers',
    'content-type': 'application/grpc',
    'x-long': long,
  });
  stream.end().resume();
  const [headers] = await once(stream, 'response');
  expect(headers['x-long']).toBe(long);
  client.close();
  await server.close();
});

it('headers longer than a frame pass to and from a Node.js server', async () => {
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.respond({ ':status': 200, 'x-long': headers['x-long'], 'grpc-status': '0' }, { endStream: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const channel = new GrpcChannel(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const call = channel.call('/t/Headers', { headers: { 'x-long': long } });
  call.end();
  await call.done();
  expect(call.answerHeaders['x-long']).toBe(long);
  await channel.close();
  server.close();
});
