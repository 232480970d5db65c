/** ZSTD (RFC 8878) by WebAssembly, since Node.js 20 has no implementation. */
import { malformed } from '../../errors.ts';
import type { Codec } from './buffer-codec.ts';

// The fastest level that still halves typical columns; C++ writers default to the same.
const level = 1;
const magic = 0xfd2fb528;

export async function loadZstd(): Promise<Codec> {
  const { Zstd } = await import('@hpcc-js/wasm-zstd');
  const zstd = await Zstd.load();
  return {
    name: 'zstd',
    compress: (bytes) => zstd.compress(bytes, level),
    decompress(frame, size) {
      const stated = frameContentBytes(frame);
      // The library allocates the size stated in the frame, so it must not exceed the batch's size.
      if (stated !== undefined && stated !== size)
        throw malformed(`a ZSTD frame states ${stated} bytes, expected ${size}`);
      const bytes = attempt(() => {
        if (stated !== undefined) return zstd.decompress(frame);
        zstd.reset();
        return zstd.decompressChunk(frame, size);
      });
      if (bytes.length !== size) throw malformed(`a ZSTD frame holds ${bytes.length} bytes, expected ${size}`);
      return bytes;
    },
  };
}

function attempt(decompress: () => Uint8Array): Uint8Array {
  try {
    return decompress();
  } catch (error) {
    throw malformed(`a ZSTD frame cannot be read (${(error as Error).message})`);
  }
}

/** Content size stated in a frame (RFC 8878, 3.1.1.1); undefined if absent. */
function frameContentBytes(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 6 || view.getUint32(0, true) !== magic) throw malformed('a compressed buffer is not a ZSTD frame');
  const descriptor = frame[4] as number;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  const flag = descriptor >>> 6;
  if (flag === 0 && !isSingleSegment) return undefined;
  const width = 1 << flag;
  if (at + width > frame.length) throw malformed('a ZSTD frame ends within its header');
  switch (width) {
    case 1:
      return frame[at] as number;
    case 2:
      return view.getUint16(at, true) + 256;
    case 4:
      return view.getUint32(at, true);
    default:
      return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
  }
}
