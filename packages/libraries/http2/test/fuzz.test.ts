import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { encodeHeaders } from '../src/hpack/encoder.ts';
import { Http2Client, readMessage } from '../src/index.ts';
import { request, requestFields, startProbe } from './fixtures/probe-service.ts';
import { chunksOf, damaged, someBytes } from './fixtures/random-bytes.ts';
import { type RandomStream, randomStream } from './fixtures/random-stream.ts';
import {
  flags,
  frame,
  frameTypes,
  outcomeOf,
  preface,
  RawPeer,
  settings,
  startRawServer,
  words,
} from './fixtures/raw-peer.ts';

const pick = <T>(random: RandomStream, values: readonly T[]): T => values[random.integer(values.length)] as T;
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

const paths = ['/t/Count', '/t/Flood', '/t/Wait', '/t/None'];
const answer = encodeHeaders([
  [':status', '200'],
  ['content-type', 'application/grpc'],
]);
const blocks = [
  ...paths.map((path) => encodeHeaders(requestFields(path))),
  answer,
  encodeHeaders([['grpc-status', '0']]),
];

/** A frame that may come at that place, or nearly: of a stream that exists or does not, whole or damaged. */
function someFrame(random: RandomStream, nextStream: () => number): Uint8Array {
  const kind = random.integer(100);
  const stream = kind > 5 ? pick(random, [1, 3, 5]) : kind > 0 ? nextStream() : pick(random, [0, 2, 2 ** 31 - 1]);
  const end = pick(random, [0, 0, flags.endStream]);
  const number = pick(random, [
    1,
    1,
    8,
    1000,
    65_535,
    65_535,
    100_000,
    pick(random, [0, 2 ** 31 - 1, random.integer(2 ** 32)]),
  ]);
  const made = pick<() => Uint8Array>(random, [
    () => frame(headers, end | flags.endHeaders, stream, pick(random, blocks)),
    () => frame(headers, end | flags.endHeaders, stream, pick(random, blocks)),
    () => {
      const block = pick(random, blocks);
      const cut = random.integer(block.length);
      return Buffer.concat([
        frame(headers, end, stream, block.subarray(0, cut)),
        frame(continuation, flags.endHeaders, stream, block.subarray(cut)),
      ]);
    },
    () => frame(data, end, stream, Buffer.concat([Buffer.from([0, 0, 0, 0, 40]), someBytes(random, 80, 40)])),
    () =>
      frame(
        data,
        end | flags.padded,
        stream,
        Buffer.concat([Buffer.from([random.integer(20)]), someBytes(random, 60)]),
      ),
    () => frame(data, end, stream, Buffer.alloc(pick(random, [0, 1, 16_384, 60_000]))),
    () => frame(settingsType, 0, 0, settings({ [pick(random, [1, 3, 4, 6, 6, 2, 5])]: number })),
    () => frame(settingsType, flags.ack, 0),
    () => frame(windowUpdate, 0, stream, words(number)),
    () => frame(rstStream, 0, stream, words(random.integer(14))),
    () => frame(ping, 0, 0, Buffer.alloc(8)),
    () => frame(goaway, 0, 0, words(number, random.integer(14))),
    () => frame(priority, 0, stream, someBytes(random, 6, 5)),
    () => frame(random.integer(12), random.integer(256), stream, someBytes(random, 30)),
  ])();
  return random.integer(30) === 0 ? damaged(random, made) : made;
}

/** @param opening frames that make sense, of the streams 1, 3 and 5 */
function someFrames(random: RandomStream, opening: (stream: number) => Uint8Array): Uint8Array {
  let stream = 5;
  const nextStream = (): number => {
    stream += 2;
    return stream;
  };
  return Buffer.concat([
    frame(settingsType, 0, 0),
    ...[1, 3, 5].map(opening),
    ...Array.from({ length: 1 + random.integer(40) }, () => someFrame(random, nextStream)),
  ]);
}

it('a server lives through any frames, and ends every call that they opened', async () => {
  const random = randomStream(9113, 'frames for a server');
  const probe = await startProbe();
  const outcomes = new Map<string, number>();
  for (let i = 0; i < 800; i++) {
    const peer = await RawPeer.to(probe.port);
    const bytes = Buffer.concat([preface, someFrames(random, (stream) => request(stream, pick(random, paths)))]);
    for (const chunk of random.integer(2) === 0 ? [bytes] : chunksOf(random, bytes, 2000)) {
      peer.send(chunk);
      await turn();
    }
    if (random.integer(2) === 0) peer.socket.end();
    const outcome = peer.socket.writableEnded
      ? await peer.next(goaway).then((last) => (last ? outcomeOf([last]) : ''))
      : await Promise.race([peer.settle().then(outcomeOf), patience()]);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    peer.close();
    if (i % 300 === 0) await probe.check();
  }
  await probe.check();
  while (probe.calls.active > 0) await turn();
  expect(probe.calls.begun).toBeGreaterThan(1000);
  expect([...outcomes.keys()].filter((outcome) => outcome.includes('internalError'))).toEqual([]);
  await probe.server.close(0);
});

/** For a ping that became part of a frame that was cut. */
async function patience(): Promise<string> {
  for (let i = 0; i < 20; i++) await turn();
  return 'waits for more';
}

it('streams of a client end, whatever frames their server answers with', async () => {
  const random = randomStream(9113, 'frames for a client');
  const ends = { well: 0, badly: 0 };
  for (let i = 0; i < 400; i++) {
    const server = await startRawServer((peer) => {
      void (async () => {
        await peer.next(headers);
        for (const chunk of chunksOf(
          random,
          someFrames(random, (stream) => frame(headers, flags.endHeaders, stream, answer)),
          5000,
        )) {
          peer.send(chunk);
          await turn();
        }
        peer.socket.end();
      })();
    });
    const client = new Http2Client(`http://127.0.0.1:${server.port}`);
    const streams = [1, 2, 3].map(() => client.request({ ':path': '/t/Any' }));
    const messages = streams.map((stream) => readMessage(stream));
    for (const stream of streams) {
      stream.write([Buffer.alloc(100_000)]);
      stream.end();
    }
    const results = await Promise.allSettled(messages);
    for (const { status } of results) ends[status === 'fulfilled' ? 'well' : 'badly'] += 1;
    await client.close(0);
    server.close();
  }
  expect(ends.badly).toBeGreaterThan(100);
});
