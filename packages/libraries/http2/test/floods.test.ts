import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import { maxCalls, type Probe, request, requestFields, startProbe } from './fixtures/probe-service.ts';
import { errorCodes, flags, frame, frameTypes, RawPeer, settings, words } from './fixtures/raw-peer.ts';

const mebibyte = 1024 ** 2;
let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(async () => {
  await probe.check();
  while (probe.calls.active > 0) await turn();
  await probe.server.close(0);
});

const {
  data,
  headers,
  priority,
  rstStream,
  settings: settingsType,
  ping,
  goaway,
  windowUpdate,
  continuation,
} = frameTypes;

/** Copies of a frame, enough for a chunk that is worth a write. */
const many = (part: Uint8Array): Buffer => Buffer.alloc(part.length * Math.ceil(65_536 / part.length), part);

/**
 * Sends `piece` until so much has gone or the server has ended the connection.
 * @returns what memory it took meanwhile, at most
 */
async function flood(
  peer: RawPeer,
  piece: Uint8Array,
  maxBytes: number,
): Promise<{ bufferBytes: number; heapBytes: number }> {
  const before = process.memoryUsage();
  const most = { bufferBytes: 0, heapBytes: 0 };
  for (let sent = 0; sent < maxBytes && !peer.socket.destroyed; sent += piece.length) {
    await new Promise<void>((resolve) => peer.socket.write(piece, () => resolve()));
    await turn();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    most.bufferBytes = Math.max(most.bufferBytes, arrayBuffers - before.arrayBuffers);
    most.heapBytes = Math.max(most.heapBytes, heapUsed - before.heapUsed);
  }
  return most;
}

const block = encodeHeaders(requestFields('/t/Wait'));

describe('peers that cause too much work are disconnected', () => {
  const begun = frame(headers, 0, 1, block);
  it.each([
    ['parts of headers without content', begun, frame(continuation, 0, 1)],
    ['parts of headers without end', begun, frame(continuation, 0, 1, Buffer.alloc(16_000, 0x82))],
    ['empty data', request(1, '/t/Wait'), frame(data, 0, 1)],
  ])('%s', async (_, first, part) => {
    const peer = await RawPeer.client(probe.port);
    peer.send(first);
    const { bufferBytes } = await flood(peer, many(part), 100 * mebibyte);
    expect((await peer.next(goaway))?.payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
    expect(bufferBytes).toBeLessThan(8 * mebibyte);
  });

  it('calls that are opened and reset at once', async () => {
    const peer = await RawPeer.client(probe.port);
    for (let stream = 1; stream < 20_000 && !peer.isClosed; stream += 2) {
      peer.send(request(stream, '/t/Wait'), frame(rstStream, 0, stream, words(errorCodes.cancel)));
      if (stream % 512 === 1) await turn();
    }
    expect((await peer.next(goaway))?.payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
    expect(probe.calls.begun).toBeLessThan(3000);
  });

  it('requests that are malformed, one after the other', async () => {
    const peer = await RawPeer.client(probe.port);
    for (let stream = 1; stream < 20_000 && !peer.isClosed; stream += 2) {
      peer.send(frame(headers, flags.endHeaders, stream, Buffer.from([0x82])));
      if (stream % 512 === 1) await turn();
    }
    expect((await peer.next(goaway))?.payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
    expect(probe.calls.begun).toBe(0);
  });

  it('calls beyond the limit, again and again', async () => {
    const peer = await RawPeer.client(probe.port);
    for (let stream = 1; stream < 20_000 && !peer.isClosed; stream += 2) {
      peer.send(request(stream, '/t/Wait'));
      if (stream % 512 === 1) await turn();
    }
    expect((await peer.next(goaway))?.payload.readUInt32BE(4)).toBe(errorCodes.enhanceYourCalm);
    expect(probe.calls.begun).toBe(maxCalls);
  });

  it.each([
    ['pings', frame(ping, 0, 0, Buffer.alloc(8))],
    ['settings', frame(settingsType, 0, 0)],
    ['settings that change the windows of streams', frame(settingsType, 0, 0, settings({ 4: 70_000 }))],
  ])('%s whose answers are never read', async (_, part) => {
    const peer = await RawPeer.client(probe.port);
    for (let i = 0; i < maxCalls; i++) peer.send(request(2 * i + 1, '/t/Wait'));
    peer.socket.pause();
    const { bufferBytes } = await flood(peer, many(part), 2000 * mebibyte);
    expect(peer.socket.destroyed).toBe(true);
    expect(bufferBytes).toBeLessThan(32 * mebibyte);
  });
});

describe('frames without effect take no memory', () => {
  it.each([
    ['frames of unknown kinds', frame(0x77, 0, 1, Buffer.alloc(100))],
    ['priorities', frame(priority, 0, 1, Buffer.from([0, 0, 0, 3, 1]))],
    ['window updates', frame(windowUpdate, 0, 0, words(1))],
    ['acknowledgements', frame(settingsType, flags.ack, 0)],
    ['data of a stream that was refused', frame(data, 0, 1, Buffer.alloc(1000))],
  ])('%s', async (_, part) => {
    const peer = await RawPeer.client(probe.port);
    peer.send(frame(headers, flags.endHeaders, 1, Buffer.from([0x82]))); // Without a path.
    const { bufferBytes, heapBytes } = await flood(peer, many(part), 16 * mebibyte);
    expect((await peer.settle()).some(({ type }) => type === goaway)).toBe(false);
    expect(bufferBytes).toBeLessThan(8 * mebibyte);
    expect(heapBytes).toBeLessThan(100 * mebibyte);
    peer.close();
  });
});

it('answers that a peer does not read stay with their senders', async () => {
  const peer = await RawPeer.client(probe.port, { 4: 2 ** 31 - 1 });
  peer.send(frame(windowUpdate, 0, 0, words(2 ** 30)));
  peer.socket.pause();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < maxCalls; i++) peer.send(request(2 * i + 1, '/t/Flood'));
  while (probe.calls.active < maxCalls) await turn();
  await sleep(300);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * mebibyte);
  peer.close();
});

it('a window that opens by a byte at a time is used a byte at a time', async () => {
  const peer = await RawPeer.client(probe.port, { 4: 0 });
  peer.send(request(1, '/t/Flood'));
  for (let i = 0; i < 1000; i++) {
    peer.send(frame(windowUpdate, 0, 1, words(1)));
    expect((await peer.next(data))?.payload).toHaveLength(1);
  }
  peer.close();
});

it('windows that settings make negative are waited for', async () => {
  const peer = await RawPeer.client(probe.port, { 4: 5000 });
  peer.send(request(1, '/t/Flood'));
  let received = 0;
  while (received < 5000) received += (await peer.next(data))?.payload.length ?? Number.NaN;
  expect(received).toBe(5000);
  peer.send(frame(settingsType, 0, 0, settings({ 4: 1000 })), frame(windowUpdate, 0, 1, words(4000)));
  expect((await peer.settle()).some(({ type }) => type === data)).toBe(false);
  peer.send(frame(windowUpdate, 0, 1, words(7)));
  expect((await peer.next(data))?.payload).toHaveLength(7);
  peer.close();
});

it('callers that go away without a word end their calls', async () => {
  const peers = await Promise.all(Array.from({ length: 10 }, () => RawPeer.client(probe.port)));
  for (const peer of peers)
    peer.send(
      request(1, '/t/Wait'),
      request(3, '/t/Flood'),
      frame(data, 0, 1, Buffer.alloc(50_000)).subarray(0, 40_000),
    );
  while (probe.calls.active < 20) await turn();
  for (const peer of peers) peer.socket.resetAndDestroy();
  while (probe.calls.active > 0) await turn();
  const next = await RawPeer.client(probe.port);
  next.send(request(1, '/t/Flood'));
  expect((await next.next(data))?.payload.length).toBeGreaterThan(0);
  next.close();
});
