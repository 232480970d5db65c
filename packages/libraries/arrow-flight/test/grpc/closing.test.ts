import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { makeCertificates } from '../../../http2/test/fixtures/certificates.ts';
import { Http2Connection } from '../../../http2/test/fixtures/inner-parts.ts';
import { request } from '../../../http2/test/fixtures/probe-service.ts';
import {
  flags,
  frame,
  frameTypes,
  RawPeer,
  settings,
  startRawServer,
  words,
} from '../../../http2/test/fixtures/raw-peer.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { GrpcChannel } from '../../src/grpc/grpc-channel.ts';
import { GrpcServer } from '../../src/grpc/grpc-server.ts';

const { settings: settingsType, headers, data, goaway, windowUpdate } = frameTypes;
const maxConcurrentStreams = 3;
const initialWindowSize = 4;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

it('queued calls are not opened after the server sends GOAWAY', async () => {
  let welcome: (peer: RawPeer) => void = () => {};
  const came = new Promise<RawPeer>((resolve) => {
    welcome = resolve;
  });
  const server = await startRawServer(welcome);
  const channel = new GrpcChannel(`http://127.0.0.1:${server.port}`);
  const first = channel.call('/t/First');
  const peer = await came;
  peer.send(frame(settingsType, 0, 0, settings({ [maxConcurrentStreams]: 1 })));
  await peer.settle();
  const others = ['/t/Second', '/t/Third'].map((path) => channel.call(path));
  peer.send(frame(goaway, 0, 0, words(0, 0)));
  const seen = await peer.settle();
  expect(seen.filter(({ type }) => type === headers)).toEqual([]);
  for (const call of [first, ...others]) await expect(call.done()).rejects.toMatchObject({ status: 'unavailable' });
  server.close();
  await channel.close(0);
});

it('a closing channel still makes its queued calls', async () => {
  let served = 0;
  const handle = async (): Promise<void> => {
    await sleep(20);
    served += 1;
  };
  const server = new GrpcServer(new Map([['/t/Method', { handle }]]), { maxConcurrentCalls: 1 });
  const channel = new GrpcChannel(`http://127.0.0.1:${await server.listen()}`);
  const call = (): Promise<void> => {
    const made = channel.call('/t/Method');
    made.end();
    return made.done();
  };
  await call();
  const calls = Promise.all([call(), call(), call()]);
  await channel.close(20_000);
  await calls;
  expect(served).toBe(4);
  await server.close(0);
});

it('a response sent before its server closed arrives, however late it is read', async () => {
  let tell: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer((socket) => {
    const connection = new Http2Connection(socket, {
      streamWindowBytes: 65_535,
      connectionWindowBytes: 65_535,
      maxHeaderBytes: 65_536,
      onStream: async (stream) => {
        stream.sendHeaders({ ':status': '200', 'content-type': 'application/grpc' });
        // More than the system takes of one who does not read.
        while (socket.writableLength < 300_000) {
          stream.write([frameOf(Buffer.alloc(65_536))]);
          await turn();
        }
        connection.close();
        stream.end({ 'grpc-status': '0' });
        tell();
      },
    });
    socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peer = await RawPeer.client((server.address() as AddressInfo).port, { [initialWindowSize]: 2 ** 31 - 1 });
  await peer.next(settingsType);
  peer.socket.pause();
  peer.send(frame(windowUpdate, 0, 0, words(2 ** 30)), request(1, '/t/Method', flags.endStream));
  await answered;
  await sleep(1300);
  peer.socket.resume();
  let last = await peer.next(headers);
  for (let next = last; next; next = await peer.next(headers, data)) last = next;
  expect(last).toMatchObject({ type: headers, flags: flags.endHeaders | flags.endStream });
  server.close();
  peer.close();
});

it.skipIf(!hasOpenssl)(
  'a closing TLS server does not wait for silent clients',
  async () => {
    const { certificate, key, remove } = makeCertificates();
    const server = new GrpcServer(new Map(), { tls: { certificate, key } });
    const socket = connect(await server.listen(), '127.0.0.1');
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    await sleep(50);
    // Far below the time for a handshake.
    expect(await Promise.race([server.close(20).then(() => 'closed'), sleep(5000, 'waits', { ref: false })])).toBe(
      'closed',
    );
    await closed;
    remove();
  },
  20_000,
);
