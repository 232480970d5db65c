import { expect, it } from 'vitest';
import { chunksOf, damaged } from '../../../http2/test/fixtures/random-bytes.ts';
import { randomStream } from '../../../http2/test/fixtures/random-stream.ts';
import { ArrowError, FlightError } from '../../src/errors.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { MessageAssembler } from '../../src/grpc/message-assembler.ts';
import { BatchDecoder } from '../../src/ipc/batch-decoder.ts';
import { BatchEncoder, encodeSchema } from '../../src/ipc/batch-encoder.ts';
import { decodeDescriptor, encodeDescriptor } from '../../src/protocol/descriptor.ts';
import { decodeFlightData, findBody, frameFlightData } from '../../src/protocol/flight-data.ts';
import { decodeFlightInfo, encodeFlightInfo } from '../../src/protocol/flight-info.ts';
import {
  decodeAction,
  decodeBasicAuth,
  decodeHandshake,
  encodeAction,
  encodeBasicAuth,
  encodeHandshake,
} from '../../src/protocol/small-messages.ts';
import { everyTypeBatch } from '../fixtures/every-type.ts';
import { numbersBatch, numbersSchema } from '../numbers-service.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const random = randomStream(20_26, 'frames');

function streamOf(batches: ReturnType<typeof everyTypeBatch>[]): Uint8Array {
  const encoder = new BatchEncoder();
  const schema = (batches[0] as (typeof batches)[0]).schema;
  const frames = frameFlightData({ header: encodeSchema(schema), descriptor: { path: ['x'] } });
  for (const batch of batches) {
    for (const { metadata, body, bodyBytes } of encoder.encode(batch))
      frames.push(...frameFlightData({ header: metadata, body, bodyBytes }));
  }
  return Buffer.concat(frames);
}

/** Reads a stream as a server does. @returns the rows of its batches */
function readAll(stream: Uint8Array): number {
  const decoder = new BatchDecoder();
  let rows = 0;
  const assembler = new MessageAssembler(
    2 ** 20,
    (message) => {
      const { header, body } = decodeFlightData(message);
      if (header.length > 0) rows += decoder.decode(header, body)?.numRows ?? 0;
    },
    findBody,
  );
  for (const chunk of chunksOf(random, stream, 2000)) assembler.take(chunk);
  return rows;
}

/** Any bytes give a value or one of our own errors. */
function mustNotCrash(read: () => unknown): 'read' | 'refused' {
  try {
    read();
    return 'read';
  } catch (error) {
    if (!(error instanceof FlightError || error instanceof ArrowError)) throw error;
    return 'refused';
  }
}

it('damaged streams of FlightData give a known error or whole batches, in 70 000 cases', () => {
  const streams = [streamOf([numbersBatch(3), numbersBatch(2, 5)]), streamOf([everyTypeBatch()])];
  expect(readAll(streams[0] as Uint8Array)).toBe(5);
  const outcomes = { read: 0, refused: 0 };
  for (let i = 0; i < 70_000; i++) {
    const stream = streams[i % 8 === 0 ? 1 : 0] as Uint8Array;
    outcomes[mustNotCrash(() => readAll(damaged(random, stream)))]++;
  }
  expect(outcomes.refused).toBeGreaterThan(10_000);
  expect(outcomes.read).toBeGreaterThan(1000);
}, 180_000);

it('damaged control messages give a value or a known error, in 40 000 cases', () => {
  const info = encodeFlightInfo({
    ...{ schema: numbersSchema, descriptor: { path: ['a', 'ü'] }, totalRecords: -1, totalBytes: 7, ordered: true },
    endpoints: [{ ticket: bytes('t'), locations: ['grpc+tcp://h:1'], appMetadata: bytes('m') }],
  });
  const kinds: [Uint8Array, (message: Uint8Array) => unknown][] = [
    [info, decodeFlightInfo],
    [encodeDescriptor({ path: ['a', 'b'] }), decodeDescriptor],
    [encodeDescriptor({ command: bytes('select') }), decodeDescriptor],
    [encodeAction({ type: 'echo', body: bytes('body') }), decodeAction],
    [encodeHandshake({ protocolVersion: 1, payload: encodeBasicAuth({ user: 'u', password: 'p' }) }), decodeHandshake],
    [encodeBasicAuth({ user: 'u', password: 'p' }), decodeBasicAuth],
  ];
  for (const [message, decode] of kinds) expect(mustNotCrash(() => decode(message))).toBe('read');
  const outcomes = { read: 0, refused: 0 };
  for (let i = 0; i < 40_000; i++) {
    const [message, decode] = kinds[i % kinds.length] as (typeof kinds)[0];
    outcomes[mustNotCrash(() => decode(damaged(random, message)))]++;
  }
  expect(outcomes.refused).toBeGreaterThan(5000);
}, 180_000);

it('a truncated message is detected at the end of the stream', () => {
  const framed = frameOf(bytes('whole'));
  for (let cut = 1; cut < framed.length; cut++) {
    const assembler = new MessageAssembler(1000, () => {});
    assembler.take(framed.subarray(0, cut));
    expect(assembler.isBetweenMessages).toBe(false);
  }
});
