/** Bitmaps in Arrow's format: bit i of byte ⌊i / 8⌋, least significant bit first. */

/** Number of bytes for the given number of bits. */
export function bitmapBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

export function bitAt(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >>> 3] as number) & (1 << (index & 7))) !== 0;
}

const onesOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Number of set bits among `bits` bits, starting at `from`. */
export function countOnes(bitmap: Uint8Array, from: number, bits: number): number {
  let count = 0;
  let i = from;
  const end = from + bits;
  for (; i < end && (i & 7) !== 0; i++) count += Number(bitAt(bitmap, i));
  for (; i + 8 <= end; i += 8) count += onesOfByte[bitmap[i >>> 3] as number] as number;
  for (; i < end; i++) count += Number(bitAt(bitmap, i));
  return count;
}

/** The bits starting at `from` as a separate bitmap: a view if `from` is on a byte boundary, otherwise a copy. */
export function bitsFrom(bitmap: Uint8Array, from: number, bits: number): Uint8Array {
  const first = from >>> 3;
  const shift = from & 7;
  const bytes = bitmapBytes(bits);
  if (shift === 0) return bitmap.subarray(first, first + bytes);
  const copy = new Uint8Array(bytes);
  for (let i = 0; i < bytes; i++) {
    copy[i] = ((bitmap[first + i] as number) >>> shift) | ((bitmap[first + i + 1] ?? 0) << (8 - shift));
  }
  return copy;
}
