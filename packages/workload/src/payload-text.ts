/** Text for payload fields: random, hence neither compressible nor cacheable, and cheap at any size. */
import type { RandomStream } from '@topo-bench/core';
import { streams } from './streams.ts';

// JSON escapes none of these characters: a value of n bytes has n characters in memory and n bytes on the wire.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Number of different values of the max size. */
const offsets = 65_536;

/**
 * Values of up to `maxBytes` ASCII characters, cut from one seeded text at a random offset. Drawing 64 KiB character by
 * character would make the generator slower than the system under test.
 */
export function payloadText(seed: number, maxBytes: number): (random: RandomStream, bytes: number) => string {
  const source = streams.payloadText(seed);
  const text = Array.from({ length: maxBytes + offsets }, () => alphabet[source.integer(alphabet.length)]).join('');
  return (random, bytes) => {
    const start = random.integer(offsets);
    return text.slice(start, start + bytes);
  };
}
