/** Fields of protobuf messages, read from a buffer. https://protobuf.dev/programming-guides/encoding/ */

const kinds = { varint: 0, fixed64: 1, length: 2, fixed32: 5 } as const;
const maxVarintBytes = 10;
/** Their value is exact as a number. */
const exactVarintBytes = 7;

export class ProtobufReader {
  readonly #bytes: Buffer;
  /** Index of the next byte. */
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** Bytes of the varint at the current place; 0 when the buffer ends within it. */
  varintBytes(): number {
    for (let bytes = 1; bytes <= maxVarintBytes; bytes++) {
      const byte = this.#bytes[this.at + bytes - 1];
      if (byte === undefined) return 0;
      if (byte < 128) return bytes;
    }
    throw new RangeError('a varint of more than 10 bytes');
  }

  /** Unsigned; exact up to 2^53. @throws RangeError */
  varint(): number {
    const first = this.#byte();
    if (first < 128) return first;
    let value = first & 127;
    for (let factor = 128; factor < 2 ** 70; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('a varint of more than 10 bytes');
  }

  /** The types `sint32` and `sint64`; a bigint where a number could be inexact. @throws RangeError */
  sint(): number | bigint {
    const bytes = this.varintBytes();
    if (bytes <= exactVarintBytes) {
      const value = this.varint();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    let value = 0n;
    for (let byte = 0; byte < bytes; byte++) value |= BigInt(this.#byte() & 127) << BigInt(7 * byte);
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** Text after its length. A byte order mark is a part of it. @throws RangeError */
  text(): string {
    const end = this.end();
    const text = this.#bytes.toString('utf8', this.at, end);
    this.at = end;
    return text;
  }

  /** Index after the message or text whose length is next. @throws RangeError */
  end(): number {
    const length = this.varint();
    if (this.at + length > this.#bytes.length) throw new RangeError('a length beyond the end of the message');
    return this.at + length;
  }

  /** Skips the value of an unknown field. @param tag of the field @throws RangeError */
  skip(tag: number): void {
    const kind = tag & 7;
    if (kind === kinds.varint) this.at += this.varintBytes();
    else if (kind === kinds.fixed64) this.at += 8;
    else if (kind === kinds.length) this.at = this.end();
    else if (kind === kinds.fixed32) this.at += 4;
    else throw new RangeError(`a field of kind ${kind}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw new RangeError('the end within a number');
    return byte;
  }
}

/** The first bytes of a field, as one number. */
export const tags = {
  varint: (field: number): number => field * 8 + kinds.varint,
  fixed64: (field: number): number => field * 8 + kinds.fixed64,
  length: (field: number): number => field * 8 + kinds.length,
};
