/**
 * Frames that were cut or hit by flipped bits end in an error or in a batch that can be read to the last value: never
 * in a crash, a hang or a value that lies outside what came.
 */
import { type RecordBatch, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { randomStream } from '../../../http2/test/fixtures/random-stream.ts';
import { BatchDecoder, type Codecs, encodeSchema, loadCodecs, readStream, writeStream } from '../../src/ipc/index.ts';
import { everyColumn, everyTypeBatch, valuesOf } from '../fixtures/every-type.ts';

const columns = everyColumn();
const whole = everyTypeBatch(columns);
const codecs = await loadCodecs();
/** 100 000 and more with TOPO_BENCH_FUZZ_CASES=30000. */
const casesPerKind = Number(process.env.TOPO_BENCH_FUZZ_CASES ?? 2000);

async function streamOf(batch: RecordBatch, compression?: 'lz4' | 'zstd'): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeStream(batch.schema, [batch], compression && codecs[compression])) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Reads every value; gives the error's code, or how many batches there were. */
async function read(bytes: Uint8Array, given: Codecs = codecs): Promise<string | number> {
  const batches: RecordBatch[] = [];
  try {
    for await (const batch of readStream([bytes], { codecs: given, maxMessageBytes: 2 ** 24 })) batches.push(batch);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ARROW_MALFORMED' || code === 'ARROW_UNSUPPORTED') return code;
    throw error;
  }
  for (const batch of batches) if (batch.numRows < 100_000) readAll(batch);
  return batches.length;
}

/** Times of more than 53 bits are values, though the library cannot turn them into its dates. */
function readAll(batch: RecordBatch): void {
  try {
    valuesOf(batch);
  } catch (error) {
    if (!/not safe to convert to a number/.test((error as Error).message)) throw error;
  }
}

describe('a truncated stream', () => {
  test('is refused at every length', async () => {
    const bytes = await streamOf(
      everyTypeBatch({ utf8: columns.utf8!, map: columns.map!, region: columns.dictionaryInt8! }),
    );
    for (let length = 0; length < bytes.length; length++) {
      expect(await read(bytes.slice(0, length)), `cut at ${length} of ${bytes.length}`).toBe('ARROW_MALFORMED');
    }
    expect(await read(bytes)).toBe(1);
  });
});

describe.each([undefined, 'lz4', 'zstd'] as const)('a stream with flipped bits, compressed with %s', (compression) => {
  test('is refused or readable', async () => {
    const random = randomStream(7, 'flips', compression ?? 'none');
    const streams = [await streamOf(whole, compression)];
    for (const [name, column] of Object.entries(columns))
      streams.push(await streamOf(everyTypeBatch({ [name]: column }), compression));
    let refused = 0;
    for (let i = 0; i < casesPerKind; i++) {
      const bytes = streams[i % streams.length]!.slice();
      for (let flips = 1 + random.integer(3); flips > 0; flips--) {
        const at = random.integer(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << random.integer(8));
      }
      if (typeof (await read(bytes)) === 'string') refused++;
    }
    expect(refused).toBeGreaterThan(casesPerKind / 10);
  }, 600_000);
});

describe('metadata with flipped bits', () => {
  test('is refused or describes the received batch', () => {
    const random = randomStream(11, 'metadata');
    const schema = encodeSchema(whole.schema);
    let refused = 0;
    for (let i = 0; i < casesPerKind; i++) {
      const bytes = schema.slice();
      for (let flips = 1 + random.integer(4); flips > 0; flips--)
        bytes[random.integer(bytes.length)] = random.integer(256);
      try {
        new BatchDecoder().decode(bytes, new Uint8Array(0));
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^ARROW_/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(casesPerKind / 10);
  });

  test('that refers to itself ends in an error, not in a loop', () => {
    // A table of one field, the children, whose only element is the table itself: fields without end.
    const bytes = encodeSchema(whole.schema);
    const random = randomStream(13, 'loops');
    for (let i = 0; i < 500; i++) {
      const looped = bytes.slice();
      const view = new DataView(looped.buffer);
      // References lead forward by format; made huge or zero, they lead anywhere.
      for (let j = 0; j < 8; j++) view.setUint32(4 * random.integer(bytes.length / 4), random.integer(64), true);
      expect(() => {
        try {
          new BatchDecoder().decode(looped, new Uint8Array(0));
        } catch (error) {
          if (!/^ARROW_/.test((error as { code?: string }).code ?? '')) throw error;
        }
      }).not.toThrow();
    }
  });
});

describe('a value that contradicts its type', () => {
  const broken = async (name: string, change: (batch: RecordBatch) => void): Promise<string | number> => {
    const batch = everyTypeBatch({ [name]: everyColumn()[name]! });
    change(batch);
    return read(await streamOf(batch));
  };
  const set = (values: unknown, at: number, value: number | bigint): void => {
    (values as Record<number, number | bigint>)[at] = value;
  };

  test.each([
    ['offsets that fall', 'utf8', (batch: RecordBatch) => set(batch.data.children[0]!.valueOffsets, 1, 2_000_000_000)],
    ['text that is not UTF-8', 'utf8', (batch: RecordBatch) => set(batch.data.children[0]!.values, 0, 0xff)],
    [
      'an index beyond its dictionary',
      'dictionaryInt8',
      (batch: RecordBatch) => set(batch.data.children[0]!.values, 0, 99),
    ],
    ['a negative index', 'dictionaryInt8', (batch: RecordBatch) => set(batch.data.children[0]!.values, 0, -1)],
    [
      'a type id that the union lacks',
      'denseUnion',
      (batch: RecordBatch) => set(batch.data.children[0]!.typeIds, 0, 5),
    ],
    [
      'a union offset beyond its child',
      'denseUnion',
      (batch: RecordBatch) => set(batch.data.children[0]!.valueOffsets, 0, 9),
    ],
    [
      'text offsets beyond the bytes',
      'utf8',
      (batch: RecordBatch) => set(batch.data.children[0]!.valueOffsets, 5, 1000),
    ],
    [
      'large offsets beyond the bytes',
      'largeUtf8',
      (batch: RecordBatch) => set(batch.data.children[0]!.valueOffsets, 5, 1000n),
    ],
    ['list offsets that fall', 'list', (batch: RecordBatch) => set(batch.data.children[0]!.valueOffsets, 4, 1)],
    ['a view of negative length', 'utf8View', (batch: RecordBatch) => set(batch.data.children[0]!.values, 3, 0x80)],
  ])('%s is refused', async (_, name, change) => {
    expect(await broken(name, change)).toBe('ARROW_MALFORMED');
  });

  test('a character split between two values is refused, although the whole column is UTF-8', async () => {
    const batch = everyTypeBatch({ words: vectorFromArray(['å', 'b', 'c', 'd', 'e'], new Utf8()) });
    set(batch.data.children[0]!.valueOffsets, 1, 1);
    expect(await read(await streamOf(batch))).toBe('ARROW_MALFORMED');
  });
});

describe('a message that announces more than it contains', () => {
  test('allocates no memory for it', async () => {
    const bytes = await streamOf(everyTypeBatch({ nothing: columns.nothing! }));
    const view = new DataView(bytes.buffer);
    view.setUint32(4, 2 ** 31, true);
    expect(await read(bytes)).toBe('ARROW_MALFORMED');
  });

  test('is refused if the reader lacks its codec', async () => {
    const big = vectorFromArray(
      Array.from({ length: 5 }, () => 'x'.repeat(500)),
      new Utf8(),
    );
    expect(await read(await streamOf(everyTypeBatch({ big }), 'zstd'), {})).toBe('ARROW_UNSUPPORTED');
  });
});
