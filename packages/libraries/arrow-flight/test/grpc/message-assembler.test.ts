import { describe, expect, it } from 'vitest';
import { chunksOf, someBytes } from '../../../http2/test/fixtures/random-bytes.ts';
import { type RandomStream, randomStream } from '../../../http2/test/fixtures/random-stream.ts';
import { frameOf } from '../../src/grpc/frame.ts';
import { MessageAssembler } from '../../src/grpc/message-assembler.ts';
import { decodeFlightData, findBody, frameFlightData } from '../../src/protocol/flight-data.ts';

const limit = 1_000_000;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** As a connection does: now in memory that is used again, now straight to where the assembler wants it. */
function feed(assembler: MessageAssembler, random: RandomStream, bytes: Uint8Array, maxBytes: number): void {
  for (let chunk of chunksOf(random, bytes, maxBytes)) {
    while (chunk.length > 0) {
      const space = random.uniform() < 0.5 ? assembler.space(chunk.length) : undefined;
      const taken = space?.length ?? chunk.length;
      if (space) {
        space.set(chunk.subarray(0, taken));
        assembler.filled(taken);
      } else {
        const memory = Uint8Array.from(chunk);
        assembler.take(memory);
        memory.fill(0xee);
      }
      chunk = chunk.subarray(taken);
    }
  }
}

describe('messages are reassembled', () => {
  it('for any split into chunks', () => {
    const random = randomStream(1, 'assembler');
    for (let round = 0; round < 300; round++) {
      const sent = Array.from({ length: 1 + Math.floor(random.uniform() * 5) }, () => someBytes(random, 3000));
      const received: Uint8Array[] = [];
      const assembler = new MessageAssembler(limit, (message) => received.push(message));
      assembler.isTrusted = random.uniform() < 0.5;
      feed(assembler, random, Buffer.concat(sent.map(frameOf)), 1500);
      expect(received.map(hex)).toEqual(sent.map(hex));
      expect(assembler.isBetweenMessages).toBe(true);
    }
  });

  it('with the body of each aligned to eight bytes', () => {
    const random = randomStream(2, 'assembler');
    for (let round = 0; round < 300; round++) {
      const sent = {
        header: someBytes(random, 300, 1),
        body: [someBytes(random, 5000, 1)],
        ...(random.uniform() < 0.5 ? { appMetadata: someBytes(random, 200, 1) } : {}),
        ...(random.uniform() < 0.5 ? { descriptor: { path: ['ä', 'b'] } } : {}),
      };
      const frames = frameFlightData({ ...sent, bodyBytes: sent.body[0]?.length ?? 0 });
      const received: Uint8Array[] = [];
      const assembler = new MessageAssembler(limit, (message) => received.push(message), findBody);
      assembler.isTrusted = random.uniform() < 0.5;
      feed(assembler, random, Buffer.concat(frames), 700);
      expect(received).toHaveLength(1);
      const memory = received[0] as Uint8Array;
      const data = decodeFlightData(memory);
      expect(hex(data.body)).toBe(hex(sent.body[0] as Uint8Array));
      expect(data.body.byteOffset % 8).toBe(0);
      expect(data.body.buffer).toBe(memory.buffer);
      expect(hex(data.header)).toBe(hex(sent.header));
      expect(hex(data.appMetadata)).toBe(hex(sent.appMetadata ?? Buffer.from('')));
      expect(data.descriptor).toEqual(sent.descriptor);
    }
  });
});

describe('memory of a message', () => {
  const mebibyte = 1024 ** 2;
  const announcing = (bytes: number): Uint8Array => Uint8Array.of(0, bytes >>> 24, bytes >>> 16, bytes >>> 8, bytes);

  it.each([
    ['a known peer', true, 4 * mebibyte],
    ['a peer before its login', false, 0],
  ])('is at most a usual batch, or four times what %s has sent', (_, isTrusted, ahead) => {
    let counted = 0;
    const add = (bytes: number): void => {
      counted += bytes;
    };
    const assembler = new MessageAssembler(100 * mebibyte, () => {}, undefined, undefined, { add });
    assembler.isTrusted = isTrusted;
    assembler.take(announcing(100 * mebibyte));
    expect(counted).toBe(0);
    const chunk = new Uint8Array(100_000);
    for (let sent = chunk.length; sent < 20 * mebibyte; sent += chunk.length) {
      assembler.take(chunk);
      expect(counted).toBeGreaterThanOrEqual(sent);
      expect(counted).toBeLessThanOrEqual(Math.max(ahead, 4 * sent));
    }
    assembler.drop();
    expect(counted).toBe(0);
  });
});

describe('a frame is refused', () => {
  const push = (bytes: number[]): void => new MessageAssembler(1000, () => {}).take(Uint8Array.from(bytes));

  it('when it announces a message above the limit, before the message arrives', () => {
    expect(() => push([0, 0, 0, 3, 233])).toThrow('a message of 1001 bytes is more than the 1000 accepted here');
    expect(() => push([0, 255, 255, 255, 255])).toThrow('a message of 4294967295 bytes');
    expect(() => push([0, 0, 0, 3, 232])).not.toThrow();
  });

  it('when it is compressed, or has an invalid flag', () => {
    expect(() => push([1, 0, 0, 0, 1])).toThrow('compressed by gRPC');
    expect(() => push([2, 0, 0, 0, 1])).toThrow('begins with 2');
  });
});
