/** Bitmaps as Arrow has them: bit i of byte ⌊i / 8⌋, the least significant first. */

/** Bytes that hold so many bits. */
export function bitmapBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

export function bitAt(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >>> 3] as number) & (1 << (index & 7))) !== 0;
}

const onesOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Bits that are set among the first `bits` from bit `from` on. */
export function countOnes(bitmap: Uint8Array, from: number, bits: number): number {
  let count = 0;
  let i = from;
  const end = from + bits;
  for (; i < end && (i & 7) !== 0; i++) count += Number(bitAt(bitmap, i));
  for (; i + 8 <= end; i += 8) count += onesOfByte[bitmap[i >>> 3] as number] as number;
  for (; i < end; i++) count += Number(bitAt(bitmap, i));
  return count;
}

/** The bits from bit `from` on as a bitmap of their own: a view where that falls on a byte, else a copy. */
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
