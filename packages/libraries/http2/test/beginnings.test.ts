import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { request, useProbe } from './fixtures/probe-service.ts';
import { errorCodes, flags, frame, frameTypes, preface, RawPeer, settings } from './fixtures/raw-peer.ts';

const probe = useProbe();

const { data, settings: settingsType, ping, goaway } = frameTypes;
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

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
  expect((await peer.next(data))?.payload.toString()).toBe('6');
  peer.close();
});

it('a connection that sends nothing, or half of its preface, is closed in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const peers = [
      await RawPeer.to(probe.port),
      await RawPeer.to(probe.port),
      await RawPeer.client(probe.port),
    ] as const;
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
