import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { damaged } from '../../../http2/test/fixtures/random-bytes.ts';
import { randomStream } from '../../../http2/test/fixtures/random-stream.ts';
import { FlightClient } from '../../src/client/flight-client.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { encodeBatch, encodeSchema } from '../../src/ipc/batch-encoder.ts';
import { frameFlightData } from '../../src/protocol/flight-data.ts';
import { encodeSingleBytes } from '../../src/protocol/small-messages.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { numbersBatch, numbersSchema, numbersService, type Seen } from '../numbers-service.ts';

const mebibyte = 1024 ** 2;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const random = randomStream(7, 'misbehaviour');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is still reachable, in MiB. */
async function heldMiB(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await sleep(10);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / mebibyte;
}

/** Every way in which a caller can leave a call, or be left. */
const ways: ((client: FlightClient) => Promise<unknown>)[] = [
  async (client) => (await client.doGet(bytes('endless'))).cancel(),
  async (client) => {
    for await (const _ of await client.doGet(bytes('endless'))) break;
  },
  async (client) => {
    // The server has filled every buffer on the way, and there is no reader.
    const reader = await client.doGet(bytes('endless'));
    await sleep(5);
    reader.cancel();
  },
  async (client) => (await client.doGet(bytes('fails'))).chunks().next(),
  (client) => client.doGet(bytes('none')),
  (client) => client.doGet(bytes('ticks'), { timeoutMs: 5 }).then((reader) => reader.chunks().next()),
  async (client) => {
    const writer = await client.doPut({ path: ['x'] }, numbersSchema);
    for (let i = 0; i < 20; i++) await writer.write(numbersBatch(10_000));
    writer.cancel();
  },
  async (client) => {
    const exchange = await client.doExchange({ path: ['x'] });
    await exchange.begin(numbersSchema);
    for (let i = 0; i < 20; i++) await exchange.write(numbersBatch(1000));
    exchange.cancel();
  },
];

const upload = Buffer.concat([
  ...frameFlightData({ header: encodeSchema(numbersSchema), descriptor: { path: ['x'] } }),
  ...[numbersBatch(20), numbersBatch(5)]
    .map((batch) => encodeBatch(batch))
    .flatMap(({ metadata, body, bodyBytes }) => {
      return frameFlightData({ header: metadata, body, bodyBytes });
    })
    .map((piece) => Buffer.from(piece)),
]);
const request = Buffer.from(frameOf(encodeSingleBytes(bytes('part0'))));

const open = (session: ClientHttp2Session, verb: string): ClientHttp2Stream =>
  session.request({
    ':method': 'POST',
    ':path': `/arrow.flight.protocol.FlightService/${verb}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });

/** Resets a call with the code for "no error", while most of its answer waits at the server for a window. */
function resetAnswered(session: ClientHttp2Session): Promise<unknown> {
  const stream = open(session, 'DoGet');
  stream.end(request);
  stream.on('error', () => {}).on('data', () => stream.close(constants.NGHTTP2_NO_ERROR));
  return new Promise((resolve) => stream.on('close', resolve));
}

/** Sends bytes that may be no frames. @returns the status of gRPC, `reset` where the server gave none */
function sendDamaged(session: ClientHttp2Session): Promise<string> {
  const isUpload = random.uniform() < 0.7;
  const stream = open(session, isUpload ? 'DoPut' : 'DoGet');
  let status = 'reset';
  const take = (headers: Record<string, unknown>): void => {
    status = String(headers['grpc-status'] ?? status);
  };
  stream
    .on('response', take)
    .on('trailers', take)
    .on('error', () => {})
    .resume();
  const whole = damaged(random, isUpload ? upload : request);
  if (random.uniform() < 0.9) stream.end(whole);
  else stream.write(whole, () => stream.destroy());
  return new Promise((resolve) => stream.on('close', () => resolve(status)));
}

async function misbehave(
  client: FlightClient,
  session: ClientHttp2Session,
  seen: Seen,
  rounds: number,
): Promise<string[]> {
  const statuses: string[] = [];
  for (let round = 0; round < rounds; round++) {
    await Promise.all(ways.map((way) => way(client).catch(() => {})));
    await Promise.all(Array.from({ length: 5 }, () => resetAnswered(session)));
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, () => sendDamaged(session)))));
  }
  while (seen.ended < seen.begun) await sleep(2);
  return statuses;
}

it('aborted calls and 1200 calls with damaged bytes leak no calls, sources, memory or handles', async () => {
  const { service, seen } = numbersService();
  const server = new FlightServer(service);
  const location = await server.listen();
  const client = new FlightClient(location);
  const session = connect(location.replace('grpc+tcp', 'http'));

  await misbehave(client, session, seen, 4);
  const before = await heldMiB();
  const statuses = await misbehave(client, session, seen, 20);
  expect((await heldMiB()) - before).toBeLessThan(16);

  expect(statuses.filter((status) => status === '0').length).toBeGreaterThan(20);
  expect(statuses.filter((status) => status === '3').length).toBeGreaterThan(100);
  // Except for the calls that were broken off here, each one has its status.
  expect(statuses.filter((status) => status === 'reset').length).toBeLessThan(0.15 * statuses.length);
  expect(await client.getSchema({ path: ['x'] })).toBeDefined();

  // Closing waits for every call that is still open, far longer than a test may take.
  session.close();
  await client.close(3_600_000);
  await server.close(3_600_000);
  await sleep(20);
  expect(process.getActiveResourcesInfo().filter((name) => /TCP|HTTP2/i.test(name))).toEqual([]);
}, 300_000);
