/**
 * That bulk is read straight into place, on both sides of a connection, whatever Node.js this is: otherwise it would
 * only be slow.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Http2Connection } from '../src/connection.ts';
import { DirectReading, directServerOptions, readDirectly } from '../src/direct-reading.ts';
import type { BodySink } from '../src/frame-parser.ts';
import type { Http2Stream } from '../src/stream.ts';

const mebibyte = 1024 ** 2;
const windows = { streamWindowBytes: 8 * mebibyte, connectionWindowBytes: 64 * mebibyte, maxHeaderBytes: 65_536 };
const sent = randomBytes(24 * mebibyte + 7);

/** Puts what comes in its place; counts what came there by itself. */
class Place implements BodySink {
  readonly memory = Buffer.alloc(sent.length);
  at = 0;
  directBytes = 0;

  take(chunk: Uint8Array): void {
    this.memory.set(chunk, this.at);
    this.at += chunk.length;
  }

  space(maxBytes: number): Uint8Array {
    return this.memory.subarray(this.at, this.at + maxBytes);
  }

  filled(bytes: number): void {
    this.at += bytes;
    this.directBytes += bytes;
  }

  get isRight(): boolean {
    const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    return digest(this.memory) === digest(sent);
  }
}

function receive(stream: Http2Stream, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.events = {
      sink: place,
      onHeaders: () => {},
      onEnd: resolve,
      onSent: () => {},
      onReset: ({ code, connectionError }) => reject(connectionError ?? new Error(`reset with ${code}`)),
    };
  });
}

let server: Server;
afterEach(() => {
  server.close();
});

it('large data is read straight into its place, both ways at once', async () => {
  const atServer = new Place();
  const atClient = new Place();
  let received: Promise<void> | undefined;
  server = createServer(directServerOptions, (accepted) => {
    const reading = new DirectReading();
    const socket = readDirectly(accepted, reading);
    if (!socket) throw new Error('this Node.js does not give the handle of a socket away');
    const onStream = (stream: Http2Stream): void => {
      received = receive(stream, atServer);
      stream.sendHeaders({ ':status': '200' });
      stream.write([sent]);
      stream.end();
    };
    reading.begin(new Http2Connection(socket, { ...windows, onStream }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reading = new DirectReading();
  const { port } = server.address() as AddressInfo;
  const client = new Http2Connection(connect({ port, host: '127.0.0.1', onread: reading.onread }), windows);
  reading.begin(client);
  const stream = client.open({ ':method': 'POST', ':scheme': 'http', ':path': '/' });
  const answered = receive(stream, atClient);
  stream.write([sent]);
  stream.end();
  await answered;
  await received;
  client.destroy();
  expect([atServer.isRight, atClient.isRight]).toEqual([true, true]);
  // What remains shared its buffer, or was too little for a call of the system.
  expect(atServer.directBytes).toBeGreaterThan(0.9 * sent.length);
  expect(atClient.directBytes).toBeGreaterThan(0.9 * sent.length);
});
