import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeHeaders, type HeaderField } from '../../../http2/test/fixtures/inner-parts.ts';
import {
  errorCodes,
  flags,
  frame,
  frameTypes,
  outcomeOf,
  type RawPeer,
  settings,
  startRawServer,
  words,
} from '../../../http2/test/fixtures/raw-peer.ts';
import type { FlightError } from '../../src/errors.ts';
import type { ClientCall } from '../../src/grpc/client-call.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { GrpcChannel } from '../../src/grpc/grpc-channel.ts';

const { data, headers, rstStream, settings: settingsType, pushPromise, goaway, continuation } = frameTypes;
const streamWindowBytes = 100_000;

let server: Awaited<ReturnType<typeof startRawServer>>;
let channel: GrpcChannel;
/** Clients that came, in order, and who waits for the next. */
let clients: RawPeer[];
let welcome: () => void;

beforeEach(async () => {
  clients = [];
  welcome = () => {};
  server = await startRawServer((peer) => {
    clients.push(peer);
    welcome();
  });
  channel = new GrpcChannel(`http://127.0.0.1:${server.port}`, {
    windows: { streamBytes: streamWindowBytes, connectionBytes: 1_000_000 },
  });
});
afterEach(async () => {
  server.close();
  await channel.close(0);
});

async function nextClient(): Promise<RawPeer> {
  if (clients.length === 0) {
    await new Promise<void>((resolve) => {
      welcome = resolve;
    });
  }
  return clients.shift() as RawPeer;
}

const hello = frame(settingsType, 0, 0);
const fieldsFrame = (stream: number, fields: HeaderField[], flagBits = 0): Buffer =>
  frame(headers, flags.endHeaders | flagBits, stream, encodeHeaders(fields));
const opening: HeaderField[] = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
];
const begin = fieldsFrame(1, opening);
const trailers = (stream = 1): Buffer => fieldsFrame(stream, [['grpc-status', '0']], flags.endStream);
const message = (stream = 1): Buffer => frame(data, 0, stream, frameOf(Buffer.from('hi')));

/** How a call ended: `ok` with its messages, or its status. */
async function ending(call: ClientCall): Promise<string> {
  const messages: string[] = [];
  try {
    for await (const bytes of call.incoming) messages.push(Buffer.from(bytes).toString());
    await call.done();
    return `ok ${messages.join()}`;
  } catch (error) {
    return (error as FlightError).status;
  }
}

/** Makes a call that is answered by these frames. */
async function answered(...sent: Uint8Array[]): Promise<{ call: string; outcome: string }> {
  const call = channel.call('/t/Any', { timeoutMs: 10_000 });
  const peer = await nextClient();
  await peer.next(headers);
  peer.send(...sent);
  const [result, frames] = await Promise.all([ending(call), peer.settle()]);
  return { call: result, outcome: outcomeOf(frames) };
}

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const tooLong = frame(data, 0, 1);
tooLong.writeUIntBE(4 * 1024 ** 2 + 1, 0, 3);

/** Few bytes each, and 34 in the account of lists: 68 000. */
const manyFields: HeaderField[] = Array(2000).fill(['a', 'b']);

describe('a server that violates the protocol gets an error, and the call fails', () => {
  it.each([
    ['begins with data', 'goaway protocolError', [message()]],
    ['begins as one of HTTP/1', 'goaway protocolError', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
    ['sends data before headers', 'reset 1 protocolError', [hello, message()]],
    [
      'answers without a status',
      'reset 1 protocolError',
      [hello, fieldsFrame(1, [['content-type', 'application/grpc']])],
    ],
    [
      'ends with an interim answer',
      'reset 1 protocolError',
      [hello, fieldsFrame(1, [[':status', '103']], flags.endStream)],
    ],
    ['sends data after its trailers', 'reset 1 protocolError', [hello, begin, fieldsFrame(1, [['grpc-status', '0']])]],
    ['sends an invalid field', 'reset 1 protocolError', [hello, fieldsFrame(1, [...opening, ['Name', 'a']])]],
    ['pushes', 'goaway protocolError', [hello, frame(pushPromise, flags.endHeaders, 1, words(2))]],
    ['opens a stream', 'goaway protocolError', [hello, fieldsFrame(2, opening)]],
    ['sends headers for an unknown stream', 'goaway protocolError', [hello, fieldsFrame(3, opening)]],
    ['sends data for an unknown stream', 'goaway protocolError', [hello, message(3)]],
    ['resets an unknown stream', 'goaway protocolError', [hello, frame(rstStream, 0, 3, words(0))]],
    [
      'sends more than the window of the call',
      'reset 1 flowControlError',
      [hello, begin, frame(data, 0, 1, zeros(streamWindowBytes + 1))],
    ],
    ['sends a frame above the size limit', 'goaway frameSizeError', [hello, begin, tooLong]],
    ['breaks HPACK', 'goaway compressionError', [hello, frame(headers, flags.endHeaders, 1, Buffer.from([0x80]))]],
    [
      'sends headers without end',
      'goaway enhanceYourCalm',
      [hello, frame(headers, 0, 1), ...Array(100).fill(frame(continuation, 0, 1))],
    ],
    [
      'sends headers that are too long',
      'reset 1 enhanceYourCalm',
      [hello, fieldsFrame(1, [...opening, ...manyFields])],
    ],
    ['sends empty data without end', 'goaway enhanceYourCalm', [hello, begin, ...Array(2000).fill(frame(data, 0, 1))]],
    ['sets frames of no size', 'goaway protocolError', [frame(settingsType, 0, 0, settings({ 5: 0 }))]],
  ])('client %s: %s', async (_, outcome, sent) => {
    expect(await answered(...sent)).toEqual({ call: 'unavailable', outcome });
  });
});

describe('a response is accepted', () => {
  it.each([
    [
      'after interim ones',
      [fieldsFrame(1, [[':status', '100']]), fieldsFrame(1, [[':status', '103']]), begin, message(), trailers()],
    ],
    ['with settings in the middle', [begin, frame(settingsType, 0, 0, settings({ 4: 1 })), message(), trailers()]],
    [
      'that ends with a reset, as its server needs no more',
      [begin, message(), trailers(), frame(rstStream, 0, 1, words(errorCodes.noError))],
    ],
    [
      'in padded frames',
      [
        begin,
        frame(data, flags.padded, 1, Buffer.concat([Buffer.from([3]), frameOf(Buffer.from('hi')), zeros(3)])),
        trailers(),
      ],
    ],
    ['whose server sends GOAWAY meanwhile', [begin, frame(goaway, 0, 0, words(1, 0)), message(), trailers()]],
  ])('%s', async (_, sent) => {
    expect((await answered(hello, ...sent)).call).toBe('ok hi');
  });
});

it.each([
  ['resets it', frame(rstStream, 0, 1, words(errorCodes.refusedStream)), 'unavailable'],
  ['cancels it', frame(rstStream, 0, 1, words(errorCodes.cancel)), 'cancelled'],
  ['ends it without a status', frame(data, flags.endStream, 1), 'internal'],
  [
    'ends it in the middle of a message',
    Buffer.concat([frame(data, 0, 1, Buffer.from([0, 0, 0, 0, 9, 1])), trailers()]),
    'internal',
  ],
  [
    'announces a message of four gigabytes',
    frame(data, 0, 1, Buffer.from([0, 255, 255, 255, 255, 1])),
    'resource-exhausted',
  ],
])('a call whose server %s fails', async (_, sent, status) => {
  expect((await answered(hello, begin, sent)).call).toBe(status);
});

it('late frames of a cancelled call are no error', async () => {
  const call = channel.call('/t/Any');
  const peer = await nextClient();
  peer.send(hello);
  await peer.next(headers);
  call.cancel();
  expect(await ending(call)).toBe('cancelled');
  expect((await peer.next(rstStream))?.payload.readUInt32BE(0)).toBe(errorCodes.cancel);
  peer.send(begin, message(), trailers());
  expect(outcomeOf(await peer.settle())).toBe('');
});

it('a call that the server has not processed fails at GOAWAY, and the next one uses a new connection', async () => {
  const { call } = await answered(
    hello,
    frame(goaway, 0, 0, Buffer.concat([words(0, errorCodes.enhanceYourCalm), Buffer.from('slower')])),
  );
  expect(call).toBe('unavailable');
  const second = await answered(hello, begin, message(), trailers());
  expect(second.call).toBe('ok hi');
});

it('a connection lost in the middle of a message fails its calls, and the next one uses a new connection', async () => {
  const calls = [channel.call('/t/Any'), channel.call('/t/Any')];
  const peer = await nextClient();
  peer.send(hello);
  await peer.settle();
  peer.send(begin, frame(data, 0, 1, zeros(100)).subarray(0, 60));
  await turn();
  peer.socket.resetAndDestroy();
  expect(await Promise.all(calls.map(ending))).toEqual(['unavailable', 'unavailable']);
  expect((await answered(hello, begin, message(), trailers())).call).toBe('ok hi');
});

it('the error of a call names the rule that its server violated', async () => {
  const call = channel.call('/t/Method');
  const peer = await nextClient();
  peer.send(hello, begin, frame(data, 0, 1, Buffer.alloc(streamWindowBytes + 1)));
  await expect(call.done()).rejects.toThrow('more data than the window allows');
});
