/** LZ4 blocks (LZ4 Block Format Description): literals and back-references. Every position is checked before use. */
import { malformed } from '../../errors.ts';

const shortestMatch = 4;
/** End-of-block rules of the format: no match starts in the last 12 bytes or covers the last 5. */
const lastMatchBegins = 12;
const lastLiterals = 5;
const farthest = 65_535;
const hashBits = 14;
const table = new Int32Array(1 << hashBits);

/** Max size of a block in bytes. */
export function blockBound(size: number): number {
  return size + Math.ceil(size / 255) + 16;
}

/**
 * Compresses `source[from, to)` into `target` at `at`, which needs `blockBound` bytes of space.
 * @returns the end of the block in `target`
 */
export function compressBlock(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  table.fill(-1);
  let anchor = from;
  let position = from;
  let misses = 0;
  const limit = to - lastMatchBegins;
  while (position < limit) {
    const sequence = view.getUint32(position, true);
    const hash = Math.imul(sequence, 0x9e3779b1) >>> (32 - hashBits);
    const candidate = table[hash] as number;
    table[hash] = position;
    if (candidate < 0 || position - candidate > farthest || view.getUint32(candidate, true) !== sequence) {
      // Incompressible data is skipped in growing steps.
      position += 1 + (misses++ >>> 6);
      continue;
    }
    misses = 0;
    const end = matchEnd(source, candidate + shortestMatch, position + shortestMatch, to - lastLiterals);
    at = putSequence(source, anchor, position, target, at, end - position - shortestMatch);
    target[at++] = (position - candidate) & 255;
    target[at++] = (position - candidate) >>> 8;
    at = putLength(target, at, end - position - shortestMatch);
    position = anchor = end;
  }
  return putSequence(source, anchor, to, target, at, 0);
}

function matchEnd(source: Uint8Array, candidate: number, position: number, end: number): number {
  while (position < end && source[candidate] === source[position]) {
    candidate++;
    position++;
  }
  return position;
}

/** Writes the token and the literals `source[from, to)`. */
function putSequence(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  at: number,
  match: number,
): number {
  const literals = to - from;
  target[at++] = (Math.min(literals, 15) << 4) | Math.min(match, 15);
  at = putLength(target, at, literals);
  if (literals < 32) for (let i = from; i < to; i++) target[at++] = source[i] as number;
  else {
    target.set(source.subarray(from, to), at);
    at += literals;
  }
  return at;
}

/** Writes the part of a length that exceeds the token. */
function putLength(target: Uint8Array, at: number, length: number): number {
  if (length < 15) return at;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) target[at++] = 255;
  target[at++] = rest;
  return at;
}

/**
 * Decompresses a block into `target` at `at`; matches may refer back to `target[0]`.
 * @returns the end of the output, within `target`
 */
export function decompressBlock(block: Uint8Array, target: Uint8Array, at: number): number {
  let position = 0;
  while (position < block.length) {
    const token = block[position++] as number;
    let literals = token >>> 4;
    if (literals === 15) {
      let byte: number;
      do {
        byte = byteAt(block, position++);
        literals += byte;
      } while (byte === 255);
    }
    if (position + literals > block.length || at + literals > target.length) throw broken();
    if (literals < 32) for (let i = 0; i < literals; i++) target[at++] = block[position++] as number;
    else {
      target.set(block.subarray(position, position + literals), at);
      position += literals;
      at += literals;
    }
    if (position === block.length) return at;
    const distance = byteAt(block, position++) | (byteAt(block, position++) << 8);
    let match = token & 15;
    if (match === 15) {
      let byte: number;
      do {
        byte = byteAt(block, position++);
        match += byte;
      } while (byte === 255);
    }
    match += shortestMatch;
    if (distance === 0 || distance > at || at + match > target.length) throw broken();
    if (distance >= match && match >= 32) target.copyWithin(at, at - distance, at - distance + match);
    else for (let i = 0; i < match; i++) target[at + i] = target[at + i - distance] as number;
    at += match;
  }
  throw broken();
}

function byteAt(block: Uint8Array, position: number): number {
  const byte = block[position];
  if (byte === undefined) throw broken();
  return byte;
}

function broken(): Error {
  return malformed('an LZ4 block is truncated or refers outside its data');
}
