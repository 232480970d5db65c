import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { serialize } from 'node:v8';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FramedChannel } from '../../src/remote/framed-channel.ts';

/** Both ends of a TCP connection. */
async function connection(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = createConnection(port, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown];
  onTestFinished(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return [near, far];
}

interface Received {
  messages: unknown[];
  ends: string[];
}

function receiver(socket: Duplex, heartbeatMs?: number): Received & { channel: FramedChannel<unknown, unknown> } {
  const received: Received = { messages: [], ends: [] };
  const channel = new FramedChannel<unknown, unknown>(socket, {
    head: Buffer.alloc(0),
    heartbeatMs,
    onMessage: (message) => received.messages.push(message),
    onEnd: (reason) => received.ends.push(reason),
  });
  return { ...received, channel };
}

/** Pauses of a busy machine are shorter than the silence that ends a channel. */
const heartbeatMs = 200;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a framed channel', () => {
  it('delivers large columns bit for bit to a reader that is slow, in order', async () => {
    const [near, far] = await connection();
    const columns = Array.from({ length: 3 }, (_, i) =>
      Float64Array.from({ length: 500_000 }, (_, row) => row / (3 + i)),
    );
    const bits = new BigUint64Array([0x7ff8_0000_0000_0abcn, 0x8000_0000_0000_0000n, 0x7ff0_0000_0000_0000n]);
    const sender = receiver(near, heartbeatMs);
    for (const column of columns) sender.channel.send({ column });
    sender.channel.send({ special: new Float64Array(bits.buffer) });
    const slow = receiver(far, heartbeatMs);
    const pausing = setInterval(() => {
      far.pause();
      setTimeout(() => far.resume(), 15);
    }, 20);
    while (slow.messages.length < 4) await pause(20);
    clearInterval(pausing);
    expect(slow.messages.slice(0, 3)).toEqual(columns.map((column) => ({ column })));
    const { special } = slow.messages[3] as { special: Float64Array };
    expect(new BigUint64Array(special.slice().buffer)).toEqual(bits);
    expect([...sender.ends, ...slow.ends]).toEqual([]);
  });

  it.each([1, 2, 3, 5, 1000])('delivers a message with its last byte, in chunks of %i', (size) => {
    const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const { messages, ends, channel } = receiver(stream);
    const sent = ['first', '', { third: [3] }];
    const frames = sent.map((message) => {
      const payload = serialize(message);
      const length = Buffer.from([0, 0, payload.length >> 8, payload.length & 255]);
      return Buffer.concat([length, payload]);
    });
    const bytes = Buffer.concat([Buffer.alloc(4), ...frames]);
    const lastBytes = frames.map((_, i) => 4 + frames.slice(0, i + 1).reduce((sum, frame) => sum + frame.length, 0));
    for (let at = 0; at < bytes.length; at += size) {
      stream.emit('data', bytes.subarray(at, at + size));
      const whole = lastBytes.filter((end) => end <= at + size).length;
      expect(messages).toEqual(sent.slice(0, whole));
    }
    expect(ends).toEqual([]);
    channel.destroy();
  });

  it('ends when the peer is silent, and not while it is idle', async () => {
    const [near, far] = await connection();
    const [one, other] = [receiver(near, heartbeatMs), receiver(far, heartbeatMs)];
    await pause(8 * heartbeatMs);
    expect([...one.ends, ...other.ends]).toEqual([]);
    // A peer without heartbeat: it accepts everything and sends nothing.
    const [alone, silent] = await connection();
    silent.resume();
    const watched = receiver(alone, 20);
    while (watched.ends.length === 0) await pause(20);
    expect(watched.ends).toEqual([expect.stringContaining('nothing was received for')]);
  });

  it('ends once, with a reason, when the peer goes away or sends garbage', async () => {
    const [near, far] = await connection();
    const one = receiver(near);
    far.destroy();
    while (one.ends.length === 0) await pause(5);
    expect(one.ends).toEqual(['the connection was closed']);
    const [reading, writing] = await connection();
    const reader = receiver(reading);
    writing.write(Buffer.from([0, 0, 0, 2, 1, 2]));
    while (reader.ends.length === 0) await pause(5);
    expect(reader.ends).toEqual([expect.stringContaining('could not be read')]);
  });
});
