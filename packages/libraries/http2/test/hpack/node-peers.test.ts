/** The HPACK of node:http2, which is nghttp2's, as the other side: with Huffman code and a dynamic table. */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HpackDecoder, HpackError } from '../../src/hpack/decoder.ts';
import { encodeHeaders } from '../../src/hpack/encoder.ts';
import type { HeaderField } from '../../src/hpack/field.ts';
import { damaged } from '../fixtures/random-bytes.ts';
import { type RandomStream, randomStream } from '../fixtures/random-stream.ts';
import { errorCodes, flags, frame, frameTypes, RawPeer, settings, startRawServer } from '../fixtures/raw-peer.ts';

const pick = <T>(random: RandomStream, values: readonly T[]): T => values[random.integer(values.length)] as T;

/** Visible latin1 and spaces within, mostly letters: what both sides take as a value. */
function someValue(random: RandomStream, most: number): string {
  const length = random.integer(pick(random, [4, 40, most]));
  const codes = Array.from({ length }, () =>
    random.integer(8) > 0 ? 97 + random.integer(26) : 0x20 + random.integer(0x5f),
  );
  for (const i of codes.keys()) if (random.integer(30) === 0) codes[i] = 0xa1 + random.integer(0x5f);
  return String.fromCharCode(...codes).trim();
}

function someFields(random: RandomStream, most: number): HeaderField[] {
  const names = [
    'accept',
    'age',
    'authorization',
    'content-type',
    'date',
    'if-none-match',
    'user-agent',
    'te',
    'grpc-timeout',
  ];
  const fields = new Map<string, string>();
  for (let i = random.integer(12); i > 0; i--) {
    const name = pick(random, [...names, `x-${random.integer(40)}`, `x-${'long-'.repeat(random.integer(20))}name`]);
    fields.set(name, name === 'te' ? 'trailers' : pick(random, ['', 'gzip', '0', someValue(random, most)]));
  }
  return [...fields];
}

const sorted = (fields: readonly HeaderField[]): string[] => fields.map(([name, value]) => `${name}: ${value}`).sort();

/** A client of node:http2 whose server is ourselves. */
async function captureBlocks(tableBytes: number): Promise<{ client: ClientHttp2Session; peer: Promise<RawPeer> }> {
  let welcome: (peer: RawPeer) => void;
  const peer = new Promise<RawPeer>((resolve) => {
    welcome = resolve;
  });
  const server = await startRawServer((raw) => {
    raw.send(frame(frameTypes.settings, 0, 0, settings({ 1: tableBytes, 6: 1_000_000 })));
    welcome(raw);
  });
  const client = connect(`http://127.0.0.1:${server.port}`);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  await once(client, 'remoteSettings');
  return { client, peer };
}

async function requestBlock(client: ClientHttp2Session, peer: RawPeer, headers: OutgoingHttpHeaders): Promise<Buffer> {
  const request = client.request(headers, { endStream: true });
  request.resume();
  const done = once(request, 'close');
  const parts: Buffer[] = [];
  for (;;) {
    const next = await peer.next(frameTypes.headers, frameTypes.continuation);
    if (!next) throw new Error('the client has gone');
    // Without the priority, which older ones send.
    parts.push(next.flags & flags.priority ? next.payload.subarray(5) : next.payload);
    if ((next.flags & flags.endHeaders) === 0) continue;
    peer.send(frame(frameTypes.headers, flags.endHeaders | flags.endStream, next.stream, Buffer.from([0x88])));
    break;
  }
  await done;
  return Buffer.concat(parts);
}

it.each([4096, 256, 0])(
  'reads what a client of node:http2 sends over a connection, with a table of %i bytes',
  async (tableBytes) => {
    const random = randomStream(7541, 'node client', tableBytes);
    const { client, peer } = await captureBlocks(tableBytes);
    const decoder = new HpackDecoder({ tableBytes });
    const blocks = { bytes: 0, fields: 0 };
    for (let i = 0; i < 300; i++) {
      const pseudo: HeaderField[] = [
        [':method', pick(random, ['GET', 'POST', 'PURGE'])],
        [':path', `/${someValue(random, 60).replaceAll(' ', '+')}`],
        [':scheme', 'http'],
        [':authority', pick(random, ['localhost', 'example.com:80', 'a'])],
      ];
      const fields = [...pseudo, ...someFields(random, 3000)];
      const block = await requestBlock(client, await peer, Object.fromEntries(fields));
      const read = decoder.decode(block);
      expect(sorted(read.fields)).toEqual(sorted(fields));
      expect(read.isTooLong).toBe(false);
      blocks.bytes += block.length;
      blocks.fields += fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    }
    expect(blocks.bytes).toBeLessThan(blocks.fields); // Else neither Huffman code nor table was there to be read.
  },
);

it('reads the Huffman code of every byte but 0, which node:http2 cannot send', async () => {
  const { client, peer } = await captureBlocks(4096);
  const decoder = new HpackDecoder();
  const unread: number[] = [];
  for (let code = 1; code < 256; code++) {
    // Zeros have short codes: they make the whole shorter than plain text, and shift the byte to each place of an
    // octet.
    const value = `${'0'.repeat(30)}${String.fromCharCode(code)}${'0'.repeat(code % 8)}`;
    const block = await requestBlock(client, await peer, { ':path': '/', 'x-value': value });
    if (block.includes(Buffer.from('0'.repeat(30)))) unread.push(code);
    const { fields } = decoder.decode(block);
    expect(fields.find(([name]) => name === 'x-value')).toEqual(['x-value', value]);
  }
  expect(unread).toEqual([]);
});

interface Received {
  fields: HeaderField[];
  /** Names whose values may not enter a table. */
  secret: string[];
}

/** A server of node:http2. @returns its port, and what has come */
async function startNodeServer(): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer();
  server.on('sessionError', () => {});
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, raw: unknown) => {
    const texts = raw as string[];
    const fields = texts.flatMap((name, i): HeaderField[] => (i % 2 === 0 ? [[name, texts[i + 1] as string]] : []));
    received.push({ fields, secret: (headers as { [sensitiveHeaders]?: string[] })[sensitiveHeaders] ?? [] });
    stream.on('error', () => {});
    stream.respond({ ':status': 200 }, { endStream: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

const request = (stream: number, block: Uint8Array): Buffer =>
  frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, block);

it('writes what a server of node:http2 reads, secrets marked as such', async () => {
  const random = randomStream(7541, 'node server');
  const { port, received } = await startNodeServer();
  const peer = await RawPeer.client(port);
  onTestFinished(() => peer.close());
  for (let i = 0; i < 300; i++) {
    const fields: HeaderField[] = [
      [':method', pick(random, ['GET', 'POST', 'PURGE'])],
      [':path', `/${someValue(random, 60).replaceAll(' ', '+')}`],
      [':scheme', pick(random, ['http', 'https'])],
      [':authority', 'localhost'],
      ...someFields(random, 3000),
    ];
    peer.send(request(2 * i + 1, encodeHeaders(fields)));
    await peer.next(frameTypes.headers);
    expect(received[i]?.fields).toEqual(fields);
    expect(received[i]?.secret).toEqual(
      fields.flatMap(([name, value]) => (name === 'authorization' && value !== '' ? [name] : [])),
    );
  }
});

it('refuses the blocks that a server of node:http2 refuses, and no others', async () => {
  const random = randomStream(7541, 'damaged');
  const { client, peer } = await captureBlocks(4096);
  const blocks: Buffer[] = [];
  for (let i = 0; i < 100; i++) {
    const fields = someFields(random, 200);
    blocks.push(await requestBlock(client, await peer, { ':path': '/', ...Object.fromEntries(fields) }));
  }
  const { port } = await startNodeServer();
  const seen = { refused: 0, read: 0 };
  for (let round = 0; round < 300; round++) {
    const raw = await RawPeer.client(port);
    const decoder = new HpackDecoder();
    let isRefused = false;
    for (let i = 0; i < blocks.length && !isRefused; i++) {
      const block = random.integer(4) === 0 ? damaged(random, blocks[i] as Buffer) : (blocks[i] as Buffer);
      raw.send(request(2 * i + 1, block));
      const last = (await raw.settle()).at(-1);
      isRefused = last?.type === frameTypes.goaway && last.payload.readUInt32BE(4) === errorCodes.compressionError;
      const read = expect(() => decoder.decode(block), Buffer.from(block).toString('hex'));
      if (isRefused) read.toThrow(HpackError);
      else read.not.toThrow();
      seen[isRefused ? 'refused' : 'read'] += 1;
    }
    raw.close();
  }
  expect(Math.min(seen.refused, seen.read)).toBeGreaterThan(100);
});
