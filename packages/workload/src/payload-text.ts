/** Text for payload fields: random, hence neither compressible nor cacheable, and cheap at any size. */
import type { RandomStream } from '@topo-bench/core';
import { streams } from './streams.ts';

// JSON escapes none of these characters: a value of n bytes has n characters in memory and n bytes on the wire.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Number of different values of the max size. */
const offsets = 65_536;

/** The last text: a run has one seed, and simulations ask for its text again in every replication. */
let last: { seed: number; maxBytes: number; text: string } | undefined;

/**
 * Values of up to `maxBytes` ASCII characters, cut from one seeded text at a random offset. Drawing 64 KiB character by
 * character would make the generator slower than the system under test.
 */
export function payloadText(seed: number, maxBytes: number): (random: RandomStream, bytes: number) => string {
  if (last?.seed !== seed || last.maxBytes !== maxBytes) {
    const source = streams.payloadText(seed);
    const characters = Array.from({ length: maxBytes + offsets }, () => alphabet[source.integer(alphabet.length)]);
    last = { seed, maxBytes, text: characters.join('') };
  }
  const { text } = last;
  return (random, bytes) => {
    const start = random.integer(offsets);
    return text.slice(start, start + bytes);
  };
}
