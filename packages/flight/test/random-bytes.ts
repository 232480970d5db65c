/** Random bytes and random cuts, from a seeded stream. */
import type { RandomStream } from '@topo-bench/core/random';

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
