/** Seeded random numbers for fuzz tests (xorshift32, Marsaglia 2003). */
import { createHash } from 'node:crypto';

export interface RandomStream {
  /** In [0, 1). */
  uniform(): number;
  /** In [0, limit). */
  integer(limit: number): number;
}

/** @param names streams of one seed with different names are independent */
export function randomStream(seed: number, ...names: (string | number)[]): RandomStream {
  let state =
    createHash('sha256')
      .update([seed, ...names].join(' '))
      .digest()
      .readUInt32LE(0) | 1;
  const uniform = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return { uniform, integer: (limit) => Math.floor(uniform() * limit) };
}
