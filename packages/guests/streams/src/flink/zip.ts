/** ZIP archives without compression (PKWARE APPNOTE 6.3, sections 4.3 and 4.4): enough for a jar. */
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  name: string;
  data: Uint8Array;
}

const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
/** 1 January 1980: equal entries make equal archives. */
const date = 0x21;

/** @returns the archive in parts, without copies of the data; at most 4 GiB together */
export function zipParts(entries: readonly ZipEntry[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const bytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(version, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(date, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(bytes.length, 22);
    parts.push(signature('PK\x03\x04'), fields, bytes, data);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(signature('PK\x01\x02'), Buffer.from([version, 0]), fields, place, bytes);
    offset += 4 + fields.length + bytes.length + data.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  return [...parts, ...directory, signature('PK\x05\x06'), end];
}

function signature(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
