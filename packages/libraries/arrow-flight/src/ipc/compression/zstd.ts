/**
 * ZSTD (RFC 8878): by Node.js from 22.15 and 23.8 on, by WebAssembly before. WebAssembly decodes as fast as Node.js, so
 * only compression has two implementations.
 */
import * as zlib from 'node:zlib';
import { malformed } from '../../errors.ts';
import type { Codec } from './buffer-codec.ts';

// The fastest level that still halves typical columns; C++ writers default to the same.
const level = 1;

type Compress = Codec['compress'];

/** The part of `node:zlib` that older versions lack. */
export interface NativeZstd {
  zstdCompressSync?: (bytes: Uint8Array, options: { params: Record<number, number> }) => Uint8Array;
  constants: { ZSTD_c_compressionLevel?: number };
}

/** @param native default: that of this Node.js */
export async function loadZstd(native: NativeZstd = zlib as NativeZstd): Promise<Codec> {
  const [compress, { ZSTDDecoder }] = await Promise.all([
    nativeCompress(native) ?? loadWebAssembly(),
    import('zstddec'),
  ]);
  const decoder = new ZSTDDecoder();
  await decoder.init();
  return {
    name: 'zstd',
    compress,
    decompress(frame, size) {
      // The decoder would take the size from the frame.
      if (size === 0) return new Uint8Array(0);
      // Empty after an error, also when the frame holds more than `size` bytes.
      const bytes = decoder.decode(frame, size);
      if (bytes.length !== size) throw malformed(`a ZSTD frame cannot be read, or does not hold ${size} bytes`);
      return bytes;
    },
  };
}

function nativeCompress({ zstdCompressSync, constants }: NativeZstd): Compress | undefined {
  const parameter = constants.ZSTD_c_compressionLevel;
  if (!zstdCompressSync || parameter === undefined) return undefined;
  const params = { [parameter]: level };
  return (bytes) => zstdCompressSync(bytes, { params });
}

/** Its own decoder copies byte by byte, a hundred times as slowly as `zstddec`. */
async function loadWebAssembly(): Promise<Compress> {
  const { Zstd } = await import('@hpcc-js/wasm-zstd');
  const zstd = await Zstd.load();
  return (bytes) => zstd.compress(bytes, level);
}
