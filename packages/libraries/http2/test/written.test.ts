/**
 * A sender reuses the memory of its messages as soon as it may. A slow reader must still get every byte as it was
 * written: with a window of one frame bytes wait in the stream, with a large window in the socket.
 */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Http2Server, type Http2Stream, type ServerTls } from '../src/index.ts';
import { type Certificates, makeCertificates } from './fixtures/certificates.ts';
import { request } from './fixtures/probe-service.ts';
import { flags, frame, frameTypes, preface, RawPeer, settings, words } from './fixtures/raw-peer.ts';

const frameBytes = 16_384;
const initialWindowSize = 4;
const ignored = { take: () => {}, space: () => undefined, filled: () => {} };

/** Messages have 1 byte to 2 MB: the transport copies small ones, and large ones span frames and flushes. */
const lengths = Array.from({ length: 48 }, (_, i) => [1, 700, 5000, 40_000, 400_000, 2_000_000][i % 6] as number);
const byteOf = (message: number): number => 1 + 5 * message;

function expectedDigest(): string {
  const hash = createHash('sha256');
  lengths.forEach((length, i) => void hash.update(Buffer.alloc(length, byteOf(i))));
  return hash.digest('hex');
}

interface Sending {
  begun: number;
  written: number;
}

/** Sends all messages from two buffers, each used again once its message has been written. */
function sendReusing(stream: Http2Stream): Sending {
  const sending = { begun: 0, written: 0 };
  const send = (memory: Buffer): void => {
    const i = sending.begun;
    const length = lengths[i];
    if (length === undefined) return;
    sending.begun++;
    const message = memory.subarray(0, length).fill(byteOf(i));
    // In two pieces: both must have been written.
    const middle = length >>> 1;
    stream.write([message.subarray(0, middle), message.subarray(middle)], () => {
      sending.written++;
      memory.fill(0);
      send(memory);
      if (sending.written === lengths.length) stream.end();
    });
  };
  const onReset = (): void => {};
  stream.events = { sink: ignored, onHeaders: () => {}, onEnd: () => {}, onSent: () => {}, onReset };
  stream.sendHeaders({ ':status': '200' });
  for (let i = 0; i < 2; i++) send(Buffer.alloc(2_000_000));
  return sending;
}

let server: Http2Server | undefined;
let sending: Sending | undefined;
let peer: RawPeer | undefined;
let certificates: Certificates;
beforeAll(() => {
  certificates = makeCertificates();
});
afterAll(() => certificates.remove());
afterEach(async () => {
  peer?.close();
  await server?.close(0);
});

async function start(isTls: boolean, windowBytes: number): Promise<RawPeer> {
  const { ca, certificate, key } = certificates;
  const tls: ServerTls | undefined = isTls ? { certificate, key } : undefined;
  sending = undefined;
  server = new Http2Server(
    (stream) => {
      sending = sendReusing(stream);
    },
    { tls },
  );
  const port = await server.listen();
  const socket = isTls
    ? connectTls({ port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] })
    : connect(port, '127.0.0.1');
  await once(socket, isTls ? 'secureConnect' : 'connect');
  peer = new RawPeer(socket);
  peer.send(preface, frame(frameTypes.settings, 0, 0, settings({ [initialWindowSize]: windowBytes })));
  peer.send(request(1, '/messages', flags.endStream));
  return peer;
}

/** Reads content until the stream ends. */
async function digestOf(from: RawPeer, afterFrame: (bytes: number) => Promise<void> | void): Promise<string> {
  const hash: Hash = createHash('sha256');
  for (;;) {
    const next = await from.next(frameTypes.data);
    if (!next) throw new Error('the connection ended before the stream');
    hash.update(next.payload);
    if (next.flags & flags.endStream) return hash.digest('hex');
    await afterFrame(next.payload.length);
  }
}

for (const isTls of [false, true]) {
  const name = isTls ? 'over TLS' : 'in clear text';

  it(`${name}, a reader with a window of one frame gets what was written`, async () => {
    const reader = await start(isTls, frameBytes);
    const update = (bytes: number): void => {
      if (bytes === 0) return;
      reader.send(
        frame(frameTypes.windowUpdate, 0, 0, words(bytes)),
        frame(frameTypes.windowUpdate, 0, 1, words(bytes)),
      );
    };
    expect(await digestOf(reader, update)).toBe(expectedDigest());
    expect(sending).toEqual({ begun: lengths.length, written: lengths.length });
  });

  it(`${name}, a reader that stops reading gets what was written`, async () => {
    const reader = await start(isTls, 2 ** 31 - 1);
    reader.send(frame(frameTypes.windowUpdate, 0, 0, words(2 ** 31 - 1 - 65_535)));
    await reader.next(frameTypes.headers);
    let pauses = 0;
    let frames = 0;
    const digest = digestOf(reader, async () => {
      if (++frames % 150 !== 0) return;
      reader.socket.pause();
      await sleep(20);
      // The two buffers are full: one message or both wait in the process.
      if (sending && sending.begun - sending.written === 2 && sending.written > 0) pauses++;
      reader.socket.resume();
    });
    expect(await digest).toBe(expectedDigest());
    expect(pauses).toBeGreaterThan(2);
    expect(sending).toEqual({ begun: lengths.length, written: lengths.length });
  });
}

it('memory of messages that are dropped is never reported as written', async () => {
  const reader = await start(false, frameBytes);
  await reader.next(frameTypes.data);
  const before = { ...sending };
  reader.send(frame(frameTypes.rstStream, 0, 1, words(8)));
  await reader.settle();
  await sleep(20);
  expect(sending).toEqual(before);
  expect(before.begun).toBe((before.written ?? 0) + 2);
});
