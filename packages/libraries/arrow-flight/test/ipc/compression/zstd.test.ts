import * as zlib from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { describe, expect, test } from 'vitest';
import { loadZstd, type NativeZstd } from '../../../src/ipc/compression/zstd.ts';

const native = zlib as NativeZstd;
/** As on a Node.js without ZSTD of its own. */
const webAssembly = await loadZstd({ constants: {} });
const codec = await loadZstd();
const bytesOf = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, at) => (at * 7919) >>> 8);
const content = bytesOf(100_000);
const frame = codec.compress(content);

describe('a ZSTD frame', () => {
  test.each([1, 63, 64, 4096, 1_000_000])('of %i bytes keeps them', (size) => {
    const bytes = bytesOf(size);
    for (const compressed of [codec.compress(bytes), webAssembly.compress(bytes)]) {
      expect(Buffer.compare(codec.decompress(compressed, size), bytes)).toBe(0);
    }
  });

  test('is compressed by Node.js from 22.15 on, by WebAssembly before, to the same size', async () => {
    const own = native.zstdCompressSync;
    let calls = 0;
    const counting: NativeZstd = {
      ...native,
      ...(own && {
        zstdCompressSync: (...given: Parameters<typeof own>) => {
          calls++;
          return own(...given);
        },
      }),
    };
    const frames = [(await loadZstd(counting)).compress(content), webAssembly.compress(content)];
    expect(calls).toBe(own ? 1 : 0);
    const [first, second] = frames.map(({ length }) => length) as [number, number];
    expect(first).toBeLessThan(content.length / 2);
    expect(Math.abs(first / second - 1)).toBeLessThan(0.02);
  });

  test('that does not state its size is read', async () => {
    const stream = await Zstd.load();
    stream.reset();
    const parts = [stream.compressChunk(content), stream.compressEnd()];
    expect(Buffer.compare(codec.decompress(Buffer.concat(parts), content.length), content)).toBe(0);
  });

  test.each([
    ['holds more bytes than the batch states', frame, content.length - 1],
    ['holds fewer bytes than the batch states', frame, content.length + 1],
    ['is cut off', frame.subarray(0, frame.length - 1), content.length],
    ['is no frame', content.subarray(0, 100), content.length],
    ['is empty', new Uint8Array(0), content.length],
  ])('that %s is malformed', (_, given, size) => {
    expect(() => codec.decompress(given, size)).toThrow(expect.objectContaining({ code: 'ARROW_MALFORMED' }));
  });
});
