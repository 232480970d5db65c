import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeHeaders } from '../../src/http2/hpack/encoder.ts';
import type { HeaderField } from '../../src/http2/hpack/header-field.ts';
import { mostCalls, type Probe, request, requestFields, startProbe, streamWindowBytes } from './probe-service.ts';
import { errorCodes, flags, frame, frameTypes, outcomeOf, preface, RawPeer, settings, words } from './raw-peer.ts';

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe();
});
afterEach(async () => {
  await probe.check();
  while (probe.calls.active > 0) await turn();
});
afterAll(() => probe.server.close(0));

async function outcomeFor(...sent: Uint8Array[]): Promise<string> {
  const peer = await RawPeer.client(probe.port);
  peer.send(...sent);
  const result = outcomeOf(await peer.settle());
  if (result.startsWith('goaway')) await peer.next(); // Nothing but the end follows.
  peer.close();
  return result;
}

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
const headersOf = (stream: number, ...fields: HeaderField[]): Buffer =>
  frame(headers, flags.endHeaders, stream, encodeHeaders(fields));
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
    ['data of more than was granted', 'goaway frameSizeError', [request(1, '/t/Wait'), headOf(data, 4 * 1024 ** 2 + 1, 1)]],
    ['headers of more than was granted', 'goaway frameSizeError', [headOf(headers, 4 * 1024 ** 2 + 1, 1)]],
    ['settings of five bytes', 'goaway frameSizeError', [frame(settingsType, 0, 0, zeros(5))]],
    ['an acknowledgement with content', 'goaway frameSizeError', [frame(settingsType, flags.ack, 0, settings({ 3: 1 }))]],
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
    ['padded data without a length of padding', 'goaway frameSizeError', [request(1, '/t/Wait'), frame(data, flags.padded, 1)]],
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
    ['of a stream opened by nothing', 'reset 1 protocolError', [request(1, '/t/Wait'), frame(windowUpdate, 0, 1, words(0))]],
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
      [begun, ...Array(5).fill(frame(continuation, 0, 1, Buffer.alloc(16_000, 0x82))), frame(continuation, flags.endHeaders, 1)],
    ],
    ['interrupted by a ping', 'goaway protocolError', [begun, frame(ping, 0, 0, zeros(8))]],
    ['interrupted by a frame of an unknown kind', 'goaway protocolError', [begun, frame(0x77, 0, 0)]],
    ['continued on another stream', 'goaway protocolError', [begun, frame(continuation, flags.endHeaders, 3, block.subarray(5))]],
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
    expect(counted?.payload.subarray(5).toString()).toBe('0');
    peer.close();
  });
});

describe('malformed requests are reset, and the connection lives', () => {
  const without = (left: string): HeaderField[] => requestFields('/t/Wait').filter(([field]) => field !== left);
  const path = '/t/Wait';
  it.each<[string, HeaderField[]]>([
    ['a name in upper case', requestFields(path, ['X-Name', 'a'])],
    ['a name with a space', requestFields(path, ['x name', 'a'])],
    ['an empty name', requestFields(path, ['', 'a'])],
    ['a value with a line break', requestFields(path, ['x-name', 'a\r\nb: c'])],
    ['a value with a zero byte', requestFields(path, ['x-name', 'a\0'])],
    ['a header of connections', requestFields(path, ['connection', 'close'])],
    ['te other than trailers', [...without('te'), ['te', 'gzip']]],
    ['an unknown pseudo header', [[':name', 'a'], ...requestFields(path)]],
    ['a pseudo header of answers', [[':status', '200'], ...requestFields(path)]],
    ['a pseudo header twice', [[':path', path], ...requestFields(path)]],
    ['a pseudo header behind others', requestFields(path).reverse()],
    ['no method', without(':method')],
    ['no scheme', without(':scheme')],
    ['no path', without(':path')],
    ['an empty path', requestFields('')],
    ['no headers', []],
  ])('%s', async (_, fields) => {
    const { begun } = probe.calls;
    const peer = await RawPeer.client(probe.port);
    peer.send(headersOf(1, ...fields));
    expect(outcomeOf(await peer.settle())).toBe('reset 1 protocolError');
    peer.send(request(3, '/t/Count', flags.endStream));
    expect((await peer.next(data))?.stream).toBe(3);
    expect(probe.calls.begun).toBe(begun + 1);
    peer.close();
  });

  it.each([
    ['less content than announced', '6', zeros(5), flags.endStream],
    ['more content than announced', '4', zeros(5), 0],
    ['content of no length that is a number', 'five', zeros(5), flags.endStream],
  ])('%s', async (_, announced, content, end) => {
    const fields = requestFields('/t/Wait', ['content-length', announced]);
    expect(await outcomeFor(headersOf(1, ...fields), frame(data, end, 1, content))).toBe('reset 1 protocolError');
  });

  it.each([
    ['trailers that do not end the stream', headersOf(1, ['x-name', 'a'])],
    ['trailers with a pseudo header', frame(headers, flags.endHeaders | flags.endStream, 1, encodeHeaders([[':path', '/']]))],
  ])('%s', async (_, trailers) => {
    expect(await outcomeFor(request(1, '/t/Wait'), trailers)).toBe('reset 1 protocolError');
  });
});

it('headers that are longer than accepted are refused, and what they said of the table is known to those that follow', async () => {
  const peer = await RawPeer.client(probe.port);
  // A field for the table of 3000 bytes, named again and again: 70 times are more than 64 KiB.
  const field = Buffer.concat([Buffer.from('400278787fb916', 'hex'), Buffer.alloc(3000, 'x')]);
  peer.send(
    frame(headers, flags.endHeaders, 1, Buffer.concat([encodeHeaders(requestFields('/t/Wait')), field, Buffer.alloc(70, 0xbe)])),
  );
  expect(outcomeOf(await peer.settle())).toBe('reset 1 enhanceYourCalm');
  peer.send(
    frame(
      headers,
      flags.endHeaders | flags.endStream,
      3,
      Buffer.concat([encodeHeaders(requestFields('/t/Count')), Buffer.from([0xbe])]),
    ),
  );
  expect((await peer.next(data))?.payload.subarray(5).toString()).toBe('0');
  peer.close();
});

it('more calls at a time than are welcome are refused, and those before them go on', async () => {
  const peer = await RawPeer.client(probe.port);
  for (let i = 0; i < mostCalls; i++) peer.send(request(2 * i + 1, '/t/Wait'));
  const beyond = 2 * mostCalls + 1;
  peer.send(request(beyond, '/t/Wait'));
  expect(outcomeOf(await peer.settle())).toBe(`reset ${beyond} refusedStream`);
  expect(probe.calls.active).toBe(mostCalls);
  peer.send(frame(rstStream, 0, 1, words(8)), request(beyond + 2, '/t/Count', flags.endStream));
  expect((await peer.next(data))?.stream).toBe(beyond + 2);
  peer.close();
});

it('what a caller had still to say of a call that the server has ended is no fault', async () => {
  const peer = await RawPeer.client(probe.port);
  peer.send(request(1, '/t/None'));
  expect((await peer.next(rstStream))?.payload.readUInt32BE(0)).toBe(errorCodes.noError);
  peer.send(
    frame(data, 0, 1, zeros(1000)),
    frame(headers, flags.endHeaders | flags.endStream, 1, encodeHeaders([['x-name', 'a']])),
  );
  expect(outcomeOf(await peer.settle())).toBe('');
  peer.close();
});

describe('a connection that does not begin as one of HTTP/2', () => {
  it.each([
    ['but of HTTP/1', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')],
    ['but with half of its first words', Buffer.concat([preface.subarray(0, 12), Buffer.from('HTTP/1.1')])],
    ['but without settings', Buffer.concat([preface, frame(ping, 0, 0, zeros(8))])],
    ['but with data', Buffer.concat([preface, frame(data, 0, 1, zeros(8))])],
    ['but with an acknowledgement', Buffer.concat([preface, frame(settingsType, flags.ack, 0)])],
  ])('%s', async (_, bytes) => {
    const peer = await RawPeer.to(probe.port);
    peer.send(bytes);
    const last = await peer.next(goaway);
    expect(last?.payload.readUInt32BE(4)).toBe(errorCodes.protocolError);
    await peer.next();
    expect(peer.isClosed).toBe(true);
  });

  it('and goes away in the middle of its first words leaves nothing behind', async () => {
    const peer = await RawPeer.to(probe.port);
    peer.send(preface.subarray(0, 12));
    await peer.next(settingsType);
    peer.socket.end();
    await peer.next();
    expect(peer.isClosed).toBe(true);
  });
});

it('a connection that comes a byte at a time is served', async () => {
  const peer = await RawPeer.to(probe.port);
  const message = Buffer.from([0, 0, 0, 0, 1, 7]);
  const bytes = Buffer.concat([
    preface,
    frame(settingsType, 0, 0, settings({ 4: 70_000 })),
    request(1, '/t/Count'),
    frame(data, flags.endStream | flags.padded, 1, Buffer.concat([Buffer.from([4]), message, zeros(4)])),
  ]);
  for (const byte of bytes) {
    peer.send(Buffer.from([byte]));
    await turn();
  }
  expect((await peer.next(data))?.payload.subarray(5).toString()).toBe('1');
  peer.close();
});

it('a connection that says nothing, or only half of its first words, is ended in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const peers = [await RawPeer.to(probe.port), await RawPeer.to(probe.port), await RawPeer.client(probe.port)] as const;
    peers[1].send(preface.subarray(0, 12));
    for (const peer of peers) await peer.next(settingsType);
    await peers[2].settle();
    vi.advanceTimersByTime(9_999);
    expect(peers.map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
    vi.advanceTimersByTime(2);
    await Promise.all([peers[0].next(), peers[1].next()]);
    expect(await peers[2].settle()).toEqual([]);
    peers[2].close();
  } finally {
    vi.useRealTimers();
  }
});
