import { describe, expect, it } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import { request, requestFields, streamWindowBytes, useProbe } from './fixtures/probe-service.ts';
import { flags, frame, frameTypes, outcomeOf, RawPeer, settings, words } from './fixtures/raw-peer.ts';

const probe = useProbe();

const outcomeFor = async (...sent: Uint8Array[]): Promise<string> =>
  outcomeOf(await RawPeer.answersTo(probe.port, ...sent));

const {
  data,
  headers,
  priority,
  rstStream,
  settings: settingsType,
  pushPromise,
  ping,
  goaway,
  windowUpdate,
  continuation,
} = frameTypes;
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const block = encodeHeaders(requestFields('/t/Wait'));
/** The head of a frame that is said to be so long. */
const headOf = (type: number, length: number, stream: number): Buffer => {
  const head = frame(type, 0, stream);
  head.writeUIntBE(length, 0, 3);
  return head;
};

describe('frames of streams that cannot have them', () => {
  it.each([
    ['data of stream 0', 'goaway protocolError', [frame(data, 0, 0, zeros(10))]],
    ['headers of stream 0', 'goaway protocolError', [frame(headers, flags.endHeaders, 0, block)]],
    ['a reset of stream 0', 'goaway protocolError', [frame(rstStream, 0, 0, words(8))]],
    ['a priority of stream 0', 'goaway protocolError', [frame(priority, 0, 0, zeros(5))]],
    ['settings of a stream', 'goaway protocolError', [frame(settingsType, 0, 1)]],
    ['a ping of a stream', 'goaway protocolError', [frame(ping, 0, 1, zeros(8))]],
    ['a farewell of a stream', 'goaway protocolError', [frame(goaway, 0, 1, words(0, 0))]],
    ['data of an idle stream', 'goaway protocolError', [frame(data, 0, 1, zeros(10))]],
    ['a reset of an idle stream', 'goaway protocolError', [frame(rstStream, 0, 1, words(8))]],
    ['a window update of an idle stream', 'goaway protocolError', [frame(windowUpdate, 0, 1, words(1))]],
    ['a stream of even number', 'goaway protocolError', [request(2, '/t/Wait')]],
    ['a stream of a number below the last', 'goaway streamClosed', [request(5, '/t/Wait'), request(3, '/t/Wait')]],
    [
      'a pushed stream',
      'goaway protocolError',
      [request(1, '/t/Wait'), frame(pushPromise, flags.endHeaders, 1, Buffer.concat([words(2), block]))],
    ],
    [
      'data after the end of a stream',
      'reset 1 streamClosed',
      [request(1, '/t/Wait', flags.endStream), frame(data, 0, 1, zeros(1))],
    ],
    [
      'headers after the end of a stream',
      'reset 1 streamClosed',
      [request(1, '/t/Wait', flags.endStream), request(1, '/t/Wait')],
    ],
    [
      'data after a reset',
      'reset 1 streamClosed',
      [request(1, '/t/Wait'), frame(rstStream, 0, 1, words(8)), frame(data, 0, 1, zeros(1))],
    ],
    [
      'headers after a reset',
      'goaway streamClosed',
      [request(1, '/t/Wait'), frame(rstStream, 0, 1, words(8)), request(1, '/t/Wait')],
    ],
    ['a priority of an idle stream', '', [frame(priority, 0, 7, Buffer.concat([words(0), Buffer.from([15])]))]],
    [
      'a priority of a stream on itself',
      'reset 7 protocolError',
      [frame(priority, 0, 7, Buffer.concat([words(7), Buffer.from([15])]))],
    ],
    [
      'a window update after a reset',
      '',
      [request(1, '/t/Wait'), frame(rstStream, 0, 1, words(8)), frame(windowUpdate, 0, 1, words(1))],
    ],
    ['a frame of an unknown kind', '', [frame(0x77, 255, 9, zeros(100))]],
  ])('%s: %s', async (_, expected, sent) => {
    expect(await outcomeFor(...sent)).toBe(expected);
  });
});

describe('frames of wrong size or content', () => {
  it.each([
    [
      'data of more than was granted',
      'goaway frameSizeError',
      [request(1, '/t/Wait'), headOf(data, 4 * 1024 ** 2 + 1, 1)],
    ],
    ['headers of more than was granted', 'goaway frameSizeError', [headOf(headers, 4 * 1024 ** 2 + 1, 1)]],
    ['settings of five bytes', 'goaway frameSizeError', [frame(settingsType, 0, 0, zeros(5))]],
    [
      'an acknowledgement with content',
      'goaway frameSizeError',
      [frame(settingsType, flags.ack, 0, settings({ 3: 1 }))],
    ],
    ['a ping of seven bytes', 'goaway frameSizeError', [frame(ping, 0, 0, zeros(7))]],
    ['a farewell of seven bytes', 'goaway frameSizeError', [frame(goaway, 0, 0, zeros(7))]],
    ['a window update of three bytes', 'goaway frameSizeError', [frame(windowUpdate, 0, 0, zeros(3))]],
    ['a reset of five bytes', 'goaway frameSizeError', [request(1, '/t/Wait'), frame(rstStream, 0, 1, zeros(5))]],
    ['a priority of four bytes', 'reset 1 frameSizeError', [request(1, '/t/Wait'), frame(priority, 0, 1, zeros(4))]],
    ['pushes switched to 2', 'goaway protocolError', [frame(settingsType, 0, 0, settings({ 2: 2 }))]],
    ['windows of 2^31 bytes', 'goaway flowControlError', [frame(settingsType, 0, 0, settings({ 4: 2 ** 31 }))]],
    ['frames of at most 16 383 bytes', 'goaway protocolError', [frame(settingsType, 0, 0, settings({ 5: 16_383 }))]],
    ['frames of at most 2^24 bytes', 'goaway protocolError', [frame(settingsType, 0, 0, settings({ 5: 2 ** 24 }))]],
    ['an unknown setting', '', [frame(settingsType, 0, 0, settings({ 99: 2 ** 32 - 1 }))]],
    [
      'data of padding that reaches over the next frame',
      'goaway protocolError',
      [request(1, '/t/Wait'), frame(data, flags.padded, 1, Buffer.from([2 + 17, 0, 0])), frame(ping, 0, 0, zeros(8))],
    ],
    [
      'padded data without a length of padding',
      'goaway frameSizeError',
      [request(1, '/t/Wait'), frame(data, flags.padded, 1)],
    ],
    [
      'headers of more padding than content',
      'goaway protocolError',
      [frame(headers, flags.endHeaders | flags.padded, 1, Buffer.concat([Buffer.from([255]), block]))],
    ],
    [
      'headers of a stream that depends on itself',
      'reset 1 protocolError',
      [frame(headers, flags.endHeaders | flags.priority, 1, Buffer.concat([words(1), Buffer.from([9]), block]))],
    ],
    [
      'headers that end within their priority',
      'goaway frameSizeError',
      [frame(headers, flags.endHeaders | flags.priority, 1, zeros(4))],
    ],
    ['headers that break HPACK', 'goaway compressionError', [frame(headers, flags.endHeaders, 1, Buffer.from([0x80]))]],
  ])('%s: %s', async (_, expected, sent) => {
    expect(await outcomeFor(...sent)).toBe(expected);
  });
});

describe('windows', () => {
  const full = 2 ** 31 - 1;
  it.each([
    ['of the connection opened by nothing', 'goaway protocolError', [frame(windowUpdate, 0, 0, words(0))]],
    [
      'of a stream opened by nothing',
      'reset 1 protocolError',
      [request(1, '/t/Wait'), frame(windowUpdate, 0, 1, words(0))],
    ],
    ['of the connection opened beyond 2^31 - 1', 'goaway flowControlError', [frame(windowUpdate, 0, 0, words(full))]],
    [
      'of a stream opened beyond 2^31 - 1',
      'reset 1 flowControlError',
      [request(1, '/t/Wait'), frame(windowUpdate, 0, 1, words(full))],
    ],
    [
      'of a stream opened beyond 2^31 - 1 by settings',
      'goaway flowControlError',
      [request(1, '/t/Wait'), frame(windowUpdate, 0, 1, words(1)), frame(settingsType, 0, 0, settings({ 4: full }))],
    ],
    [
      'of a stream exceeded',
      'reset 1 flowControlError',
      [request(1, '/t/Wait'), frame(data, 0, 1, zeros(streamWindowBytes + 1))],
    ],
    [
      'of the connection exceeded',
      'goaway flowControlError',
      [...[1, 3, 5].map((stream) => request(stream, '/t/Wait')), frame(data, 0, 1, zeros(1_000_001))],
    ],
  ])('%s: %s', async (_, expected, sent) => {
    expect(await outcomeFor(...sent)).toBe(expected);
  });
});

describe('parts of headers', () => {
  const begun = frame(headers, 0, 1, block.subarray(0, 5));
  it.each([
    ['continued that were not begun', 'goaway protocolError', [frame(continuation, flags.endHeaders, 1, block)]],
    [
      'continued after their end',
      'goaway protocolError',
      [request(1, '/t/Wait'), frame(continuation, flags.endHeaders, 1, block)],
    ],
    [
      'interrupted by data',
      'goaway protocolError',
      [request(1, '/t/Wait'), frame(headers, 0, 3, block), frame(data, 0, 1, zeros(1))],
    ],
    [
      'of 80 000 bytes',
      'goaway enhanceYourCalm',
      [
        begun,
        ...Array(5).fill(frame(continuation, 0, 1, Buffer.alloc(16_000, 0x82))),
        frame(continuation, flags.endHeaders, 1),
      ],
    ],
    ['interrupted by a ping', 'goaway protocolError', [begun, frame(ping, 0, 0, zeros(8))]],
    ['interrupted by a frame of an unknown kind', 'goaway protocolError', [begun, frame(0x77, 0, 0)]],
    [
      'continued on another stream',
      'goaway protocolError',
      [begun, frame(continuation, flags.endHeaders, 3, block.subarray(5))],
    ],
  ])('%s: %s', async (_, expected, sent) => {
    expect(await outcomeFor(...sent)).toBe(expected);
  });

  it('a byte each are put together', async () => {
    const peer = await RawPeer.client(probe.port);
    const sent = encodeHeaders(requestFields('/t/Count'));
    const parts = [...sent].map((byte) => Buffer.from([byte])).slice(0, 40);
    const rest = sent.subarray(40);
    const first = frame(
      headers,
      flags.endStream | flags.padded | flags.priority,
      1,
      Buffer.concat([Buffer.from([2]), words(0), Buffer.from([9]), parts[0] as Buffer, zeros(2)]),
    );
    const continued = parts.slice(1).map((part) => frame(continuation, 0, 1, part));
    peer.send(first, ...continued, frame(continuation, flags.endHeaders, 1, rest));
    const counted = await peer.next(data);
    expect(counted?.payload.toString()).toBe('0');
    peer.close();
  });
});
