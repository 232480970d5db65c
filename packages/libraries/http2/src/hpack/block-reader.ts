/** Reads integers (RFC 7541, section 5.1) and strings (section 5.2) of a header block. */
import { HpackError } from './field.ts';
import { decodeHuffman } from './huffman.ts';

/** Sufficient for every valid index, length and table size: values up to 2^28. */
const maxIntegerBytes = 4;

export class BlockReader {
  private at = 0;
  private readonly block: Buffer;

  constructor(block: Uint8Array) {
    this.block = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  }

  get hasMore(): boolean {
    return this.at < this.block.length;
  }

  /** The next byte, not consumed. */
  peek(): number {
    const byte = this.block[this.at];
    if (byte === undefined) throw new HpackError('the header block ends within a field');
    return byte;
  }

  /** @param bits low bits of the first byte that belong to the integer */
  readInteger(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.peek() & most;
    this.at += 1;
    if (value < most) return value;
    for (let i = 0; i < maxIntegerBytes; i++) {
      const byte = this.peek();
      this.at += 1;
      value += (byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value;
    }
    throw new HpackError(`an integer of the header block exceeds ${maxIntegerBytes} bytes`);
  }

  /** @returns one character per byte */
  readString(): string {
    const isHuffman = this.peek() >= 0x80;
    const bytes = this.readInteger(7);
    const from = this.at;
    this.at += bytes;
    if (this.at > this.block.length) {
      throw new HpackError(`a string of ${bytes} bytes passes the end of the header block`);
    }
    return isHuffman ? decodeHuffman(this.block, from, this.at) : this.block.toString('latin1', from, this.at);
  }
}
