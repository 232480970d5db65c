/** xxHash32 (xxHash fast digest algorithm, 0.2.0), the checksum of LZ4 frames, with seed 0. */

const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

/** @returns 0…2³² − 1 */
export function xxHash32(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lane = (at: number): number => view.getUint32(at, true);
  let at = 0;
  let hash: number;
  if (bytes.length >= 16) {
    let [a, b, c, d] = [(prime1 + prime2) | 0, prime2 | 0, 0, -prime1 | 0];
    for (; at + 16 <= bytes.length; at += 16) {
      a = round(a, lane(at));
      b = round(b, lane(at + 4));
      c = round(c, lane(at + 8));
      d = round(d, lane(at + 12));
    }
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  } else hash = prime5;
  hash = (hash + bytes.length) | 0;
  for (; at + 4 <= bytes.length; at += 4)
    hash = Math.imul(rotate((hash + Math.imul(lane(at), prime3)) | 0, 17), prime4);
  for (; at < bytes.length; at++)
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] as number, prime5)) | 0, 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(sum: number, lane: number): number {
  return Math.imul(rotate((sum + Math.imul(lane, prime2)) | 0, 13), prime1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
