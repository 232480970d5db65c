/** Text for payload fields: random, hence neither compressible nor cacheable, and cheap at any size. */
import type { RandomStream } from '@topo-bench/core';
import { streams } from './streams.ts';

// JSON escapes none of these characters: a value of n bytes has n characters in memory and n bytes on the wire.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Number of different values of the max size. */
const offsets = 65_536;

/** Kept because simulations ask for the text of their one seed in every replication. A longer text begins like it. */
let last: { seed: number; text: string } | undefined;

/**
 * Values of up to `maxBytes` ASCII characters, cut from one seeded text at a random offset. Drawing 64 KiB character by
 * character would make the generator slower than the system under test.
 */
export function payloadText(seed: number, maxBytes: number): (random: RandomStream, bytes: number) => string {
  const length = maxBytes + offsets;
  if (last?.seed !== seed || last.text.length < length) {
    const source = streams.payloadText(seed);
    last = { seed, text: Array.from({ length }, () => alphabet[source.integer(alphabet.length)]).join('') };
  }
  const { text } = last;
  return (random, bytes) => {
    const start = random.integer(offsets);
    return text.slice(start, start + bytes);
  };
}
