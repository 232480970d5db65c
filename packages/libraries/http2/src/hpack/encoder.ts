/**
 * Encodes header blocks without a dynamic table (HPACK, RFC 7541): static fields by index, all others as literals. gRPC
 * sends few and short fields, so a dynamic table would cost more than it saves. The encoding does not depend on the
 * order of the streams.
 */
import type { HeaderField } from './field.ts';
import { staticTable } from './static-table.ts';

/** Never indexed: proxies must not add these fields to a table either (RFC 7541, section 7.1.3). */
const secretNames: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

const indexOfName = new Map<string, number>();
const indexOfField = new Map<string, number>();
for (const [i, [name, value]] of staticTable.entries()) {
  if (!indexOfName.has(name)) indexOfName.set(name, i + 1);
  indexOfField.set(`${name}\0${value}`, i + 1);
}

/** Max bytes of an encoded integer below 2^35, including its prefix byte. */
const maxIntegerBytes = 6;

/**
 * Dynamic table size update to 0. Sent once before the first block of a connection, it remains valid for any size that
 * the peer sets (RFC 7541, section 4.2).
 */
export const emptyDynamicTableUpdate = Buffer.from([0x20]);

/** @param fields names in lower case, one character per byte */
export function encodeHeaders(fields: readonly HeaderField[]): Buffer {
  let maxBytes = 0;
  for (const [name, value] of fields) maxBytes += name.length + value.length + 3 * maxIntegerBytes;
  const block = Buffer.allocUnsafe(maxBytes);
  let at = 0;
  for (const [name, value] of fields) {
    const index = indexOfField.get(`${name}\0${value}`);
    if (index !== undefined) {
      at = writeInteger(block, at, 0x80, 7, index);
      continue;
    }
    const nameIndex = indexOfName.get(name) ?? 0;
    at = writeInteger(block, at, secretNames.has(name) ? 0x10 : 0x00, 4, nameIndex);
    if (nameIndex === 0) at = writeString(block, at, name);
    at = writeString(block, at, value);
  }
  return block.subarray(0, at);
}

/**
 * Writes an integer (RFC 7541, section 5.1).
 * @param kind high bits of the first byte
 * @param bits number of its low bits, the prefix of the integer
 * @returns the offset after the integer
 */
function writeInteger(block: Buffer, at: number, kind: number, bits: number, value: number): number {
  const most = (1 << bits) - 1;
  if (value < most) return block.writeUInt8(kind | value, at);
  let end = block.writeUInt8(kind | most, at);
  let rest = value - most;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) end = block.writeUInt8((rest & 0x7f) | 0x80, end);
  return block.writeUInt8(rest, end);
}

function writeString(block: Buffer, at: number, text: string): number {
  const from = writeInteger(block, at, 0x00, 7, text.length);
  return from + block.write(text, from, 'latin1');
}
