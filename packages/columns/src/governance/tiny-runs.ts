/**
 * Byte runs of up to three bytes, such as codes of regions and countries, as one word: the bytes, and their number + 1
 * in the upper byte. Loops over rows compare such words without a branch per run.
 */

/** Max length of a tiny run. */
export const tinyBytes = 3;
/** A table of tiny runs has 2^slotBits slots. */
export const slotBits = 10;

/** @param word starts with the run */
export function tinyWord(word: number, bytes: number): number {
  return (word & ((1 << (8 * bytes)) - 1)) | ((bytes + 1) << 24);
}

/** @param shift reduces a hash to the bits of a slot: 32 − slotBits */
export function tinySlot(word: number, shift: number): number {
  return Math.imul(word, 0x9e3779b1) >>> shift;
}
