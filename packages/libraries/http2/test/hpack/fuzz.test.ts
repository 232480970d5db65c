import { expect, it } from 'vitest';
import { HpackDecoder, HpackError } from '../../src/hpack/decoder.ts';
import { encodeHeaders } from '../../src/hpack/encoder.ts';
import type { HeaderField } from '../../src/hpack/field.ts';
import { damaged, someBytes } from '../fixtures/random-bytes.ts';
import { randomStream } from '../fixtures/random-stream.ts';

const random = randomStream(7541, 'blocks');

/** Blocks of other makers (RFC 7541, appendix C), with all representations, Huffman code and a table. */
const examples = [
  '828684418cf1e3c2e5f23a6ba0ab90f4ff',
  '828684be5886a8eb10649cbf',
  '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
  '3f910148826402 5885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
  '4883640effc1c0bf',
  '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
  '100870617373776f726406736563726574',
].map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex'));

const ourOwn = (): Buffer =>
  encodeHeaders([
    [':path', `/${'p'.repeat(random.integer(300))}`],
    ['authorization', 'secret'],
  ]);

function someBlock(): Uint8Array {
  const kind = random.integer(4);
  if (kind === 0) return someBytes(random, 60);
  const example = examples[random.integer(examples.length)] as Buffer;
  if (kind === 1) return example;
  return damaged(random, kind === 2 ? example : Buffer.concat([example, ourOwn()]));
}

const listBytes = (fields: readonly HeaderField[]): number =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);

it('gives a list within its bound or a decoding error for any bytes, and the same for the same', () => {
  const outcomes = { read: 0, cut: 0, refused: 0 };
  const options = { tableBytes: 300, maxListBytes: 300 };
  let decoders = [new HpackDecoder(options), new HpackDecoder(options)] as const;
  for (let i = 0; i < 150_000; i++) {
    const block = someBlock();
    const copy = Buffer.from(block);
    const [first, second] = decoders.map((decoder, which) => {
      try {
        return decoder.decode(which === 0 ? block : copy);
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
        return undefined;
      }
    });
    if (JSON.stringify(first) !== JSON.stringify(second)) throw new Error(`read in two ways: ${copy.toString('hex')}`);
    if (first && listBytes(first.fields) > options.maxListBytes)
      throw new Error(`a list too long from ${copy.toString('hex')}`);
    outcomes[first ? (first.isTooLong ? 'cut' : 'read') : 'refused'] += 1;
    if (!first) decoders = [new HpackDecoder(options), new HpackDecoder(options)];
  }
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(1000);
});

/** CPU time in milliseconds of reading a block so often. */
function cpuMsOf(block: Uint8Array, times: number): number {
  const started = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    try {
      new HpackDecoder().decode(block);
    } catch (error) {
      if (!(error instanceof HpackError)) throw error;
    }
  }
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

it.each<[string, (bytes: number) => Buffer]>([
  ['indexes of a field', (bytes) => Buffer.alloc(bytes, 0x82)],
  ['sizes of the table', (bytes) => Buffer.alloc(bytes, 0x20)],
  ['empty fields for the table', (bytes) => Buffer.alloc(bytes, Buffer.from('400000', 'hex'))],
  ['fields that empty the table', (bytes) => Buffer.concat(Array(Math.floor(bytes / 4100)).fill(fieldOf(4100)))],
  ['one Huffman-coded string', (bytes) => huffmanOf(bytes)],
])('needs time in proportion to the length of a block: %s', (_, build) => {
  cpuMsOf(build(1 << 14), 200);
  const small = cpuMsOf(build(1 << 14), 256);
  const large = cpuMsOf(build(1 << 20), 4);
  expect(large).toBeLessThan(20 * Math.max(small, 5)); // Equal where the time is in proportion, 64 times where it grows with the square.
});

function fieldOf(bytes: number): Buffer {
  const rest = bytes - 127;
  return Buffer.concat([Buffer.from([0x40, 1, 97, 0x7f, 0x80 | (rest & 0x7f), rest >> 7]), Buffer.alloc(bytes, 'x')]);
}

/** A field whose value is zeros in Huffman code: 5 bits each, all of them 0, so that 5 bytes hold 8. */
function huffmanOf(bytes: number): Buffer {
  const length = bytes - (bytes % 5);
  const rest = length - 127;
  return Buffer.concat([
    Buffer.from([0, 1, 97, 0xff, 0x80 | (rest & 0x7f), 0x80 | ((rest >> 7) & 0x7f), rest >> 14]),
    Buffer.alloc(length),
  ]);
}
