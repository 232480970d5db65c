/**
 * LZ4 frames (LZ4 Frame Format 1.6). Our own code, since the LZ4 packages for Node.js are native, unmaintained or
 * support only blocks; the format is two pages long.
 */
import { malformed } from '../../errors.ts';
import type { Codec } from './buffer-codec.ts';
import { blockBound, compressBlock, decompressBlock } from './lz4-block.ts';
import { xxHash32 } from './xxhash32.ts';

const magic = 0x184d2204;
const blockBytes = 4 * 1024 * 1024;
/** Independent blocks of 4 MiB, content size, no data checksums: the same as Arrow's C++ writer. */
const flags = 0b0110_1000;
const blockSizeCode = 0b0111_0000;
const storedBit = 0x8000_0000;

export const lz4: Codec = {
  name: 'lz4',

  compress(bytes) {
    const blocks = Math.ceil(bytes.length / blockBytes);
    const frame = new Uint8Array(19 + blockBound(bytes.length) + 24 * blocks);
    const view = new DataView(frame.buffer);
    view.setUint32(0, magic, true);
    frame[4] = flags;
    frame[5] = blockSizeCode;
    view.setBigUint64(6, BigInt(bytes.length), true);
    frame[14] = (xxHash32(frame.subarray(4, 14)) >>> 8) & 255;
    let at = 15;
    for (let from = 0; from < bytes.length; from += blockBytes) {
      const to = Math.min(from + blockBytes, bytes.length);
      const end = compressBlock(bytes, from, to, frame, at + 4);
      const isShorter = end - at - 4 < to - from;
      if (isShorter) view.setUint32(at, end - at - 4, true);
      else {
        frame.set(bytes.subarray(from, to), at + 4);
        view.setUint32(at, ((to - from) | storedBit) >>> 0, true);
      }
      at = isShorter ? end : at + 4 + to - from;
    }
    // The frame ends with a block of length 0.
    return frame.subarray(0, at + 4);
  },

  decompress(frame, size) {
    const target = new Uint8Array(size);
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    const header = readHeader(frame, view, size);
    let at = header.end;
    let written = 0;
    for (;;) {
      const word = wordAt(frame, view, at);
      at += 4;
      if (word === 0) break;
      const length = word & ~storedBit;
      const block = frame.subarray(at, at + length);
      if (block.length < length) throw malformed('an LZ4 frame ends within a block');
      at += length;
      if (header.hasBlockChecksums) {
        if (wordAt(frame, view, at) !== xxHash32(block)) throw malformed('the checksum of an LZ4 block does not match');
        at += 4;
      }
      if (word >= storedBit) {
        if (written + length > size) throw malformed(`an LZ4 frame holds more than ${size} bytes`);
        target.set(block, written);
        written += length;
      } else if (header.areIndependent) written += decompressBlock(block, target.subarray(written), 0);
      else written = decompressBlock(block, target, written);
    }
    if (written !== size) throw malformed(`an LZ4 frame holds ${written} bytes, expected ${size}`);
    if (header.hasContentChecksum && wordAt(frame, view, at) !== xxHash32(target)) {
      throw malformed('the checksum of an LZ4 frame does not match');
    }
    return target;
  },
};

interface FrameHeader {
  end: number;
  areIndependent: boolean;
  hasBlockChecksums: boolean;
  hasContentChecksum: boolean;
}

function readHeader(frame: Uint8Array, view: DataView, size: number): FrameHeader {
  if (frame.length < 11 || view.getUint32(0, true) !== magic)
    throw malformed('a compressed buffer is not an LZ4 frame');
  const flag = frame[4] as number;
  if (flag >>> 6 !== 1 || (flag & 0b11) !== 0)
    throw malformed('an LZ4 frame is of an unknown version or needs a dictionary');
  const hasSize = (flag & 0b1000) !== 0;
  const end = 6 + (hasSize ? 8 : 0) + 1;
  if (end > frame.length) throw malformed('an LZ4 frame ends within its header');
  if (frame[end - 1] !== ((xxHash32(frame.subarray(4, end - 1)) >>> 8) & 255)) {
    throw malformed('the checksum of an LZ4 header does not match');
  }
  if (hasSize && view.getBigUint64(6, true) !== BigInt(size))
    throw malformed(`an LZ4 frame states another size than ${size} bytes`);
  return {
    end,
    areIndependent: (flag & 0b10_0000) !== 0,
    hasBlockChecksums: (flag & 0b1_0000) !== 0,
    hasContentChecksum: (flag & 0b100) !== 0,
  };
}

function wordAt(frame: Uint8Array, view: DataView, at: number): number {
  if (at + 4 > frame.length) throw malformed('an LZ4 frame is truncated');
  return view.getUint32(at, true);
}
