/** Texts, byte strings, and types that are read as text. */
import type { DataType } from 'apache-arrow';
import { BytesBuilder } from '../../columns/bytes-builder.ts';
import { type Chunk, ColumnDecoder } from './column-decoder.ts';
import { damagedStream } from './damaged-stream.ts';

/** UTF-8 (the connection's encoding) and `bytea` are bytes on both sides. */
export class BytesDecoder extends ColumnDecoder<BytesBuilder> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new BytesBuilder(type, path, capacity));
  }

  decode({ bytes }: Chunk, at: number, length: number, row: number): void {
    this.builder.append(row, bytes, at, length);
  }
}

const jsonbVersion = 1;

/** `jsonb`: a version, then the text. */
export class JsonbDecoder extends BytesDecoder {
  override decode({ bytes }: Chunk, at: number, length: number, row: number): void {
    if (length === 0 || bytes[at] !== jsonbVersion) {
      throw damagedStream(`column ${this.builder.path}: got jsonb of version ${bytes[at]}, expected ${jsonbVersion}`);
    }
    this.builder.append(row, bytes, at + 1, length - 1);
  }
}

const uuidBytes = 16;
const hex = Buffer.from('0123456789abcdef');
const hyphen = 0x2d;

/** `uuid` as its text of 36 characters. */
export class UuidDecoder extends BytesDecoder {
  override decode({ bytes }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, uuidBytes);
    const text = this.builder.claim(row, 36);
    let to = text.at;
    for (let i = 0; i < uuidBytes; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) text.bytes[to++] = hyphen;
      const byte = bytes[at + i] as number;
      text.bytes[to++] = hex[byte >>> 4] as number;
      text.bytes[to++] = hex[byte & 15] as number;
    }
  }
}

/** The type `"char"`: one byte. PostgreSQL prints zero as an empty text, and bytes from 128 in octal. */
export class CharDecoder extends BytesDecoder {
  override decode({ bytes }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 1);
    const byte = bytes[at] as number;
    const text = Buffer.from(byte === 0 ? '' : byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`);
    this.builder.append(row, text, 0, text.length);
  }
}
