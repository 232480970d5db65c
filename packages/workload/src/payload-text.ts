/** Text for payload fields: random enough that no layer can compress or cache it away, and cheap at any size. */
import type { RandomStream } from '@topo-bench/core';
import { streams } from './streams.ts';

// No character that JSON escapes: a value of n bytes is n characters in memory and n bytes on the wire.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** How many different values of the largest size there are. */
const offsets = 65_536;

/**
 * Values of up to `maxBytes` ASCII characters, cut from one seeded text at a random place: drawing a 64 KiB value
 * character by character would make the generator slower than the system under test.
 */
export function payloadText(seed: number, maxBytes: number): (random: RandomStream, bytes: number) => string {
  const source = streams.payloadText(seed);
  const text = Array.from({ length: maxBytes + offsets }, () => alphabet[source.integer(alphabet.length)]).join('');
  return (random, bytes) => {
    const start = random.integer(offsets);
    return text.slice(start, start + bytes);
  };
}
