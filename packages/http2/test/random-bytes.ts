/** Random bytes, random cuts and random damage, from a seeded stream. */
import type { RandomStream } from './random-stream.ts';

/** `least` to `most` − 1 bytes of any value. */
export function someBytes(random: RandomStream, most: number, least = 0): Uint8Array {
  const length = least + Math.floor(random.uniform() * (most - least));
  return Uint8Array.from({ length }, () => Math.floor(random.uniform() * 256));
}

/** The bytes cut into chunks of 1 to `most` bytes. */
export function chunksOf(random: RandomStream, bytes: Uint8Array, most: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(random.uniform() * most);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

/** Cuts it, flips up to three bits, takes a part out, or doubles one. */
export function damaged(random: RandomStream, whole: Uint8Array): Uint8Array {
  const below = (limit: number): number => Math.floor(random.uniform() * limit);
  const kind = below(4);
  if (kind === 0) return whole.slice(0, below(whole.length));
  if (kind === 1) {
    const copy = Uint8Array.from(whole);
    for (let flips = 1 + below(3); flips > 0; flips--) copy[below(copy.length)]! ^= 1 << below(8);
    return copy;
  }
  const from = below(whole.length);
  const to = from + 1 + below(16);
  return Buffer.concat(
    kind === 2 ? [whole.subarray(0, from), whole.subarray(to)] : [whole.subarray(0, to), whole.subarray(from)],
  );
}
