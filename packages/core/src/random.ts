/**
 * Seeded random streams. A stream is named by (seed, purpose, …). The same name draws the same numbers in every
 * process, architecture and runner, so runs are comparable and repeatable.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface RandomStream {
  /** Uniform in [0, 1), 53 random bits. */
  uniform(): number;
  /** Uniform whole number in [0, bound), bound from 1 to 2^32. */
  integer(bound: number): number;
}

/**
 * Returns the stream with this name. Streams with different names are independent for all practical purposes.
 * @param seed any whole number
 * @param name parts that distinguish this stream from others, e.g. `('arrivals', 3)`
 */
export function randomStream(seed: number, ...name: readonly (string | number)[]): RandomStream {
  const generator = xoroshiro128plus(hash32(`${seed}/${name.join('/')}`));
  const next32 = (): number => generator.next() >>> 0;
  const uniform = (): number => ((next32() >>> 5) * 0x4000000 + (next32() >>> 6)) / 2 ** 53;
  return { uniform, integer: (bound) => Math.floor(uniform() * bound) };
}

/** A copy in random order (Fisher–Yates): every order is equally likely. */
export function shuffled<T>(items: readonly T[], random: RandomStream): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

/** 32-bit hash of a string (FNV-1a, then the murmur3 finaliser for avalanche). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
