/** Fields of protobuf messages, appended to one growing buffer. https://protobuf.dev/programming-guides/encoding/ */

const varintKind = 0;
const fixed64Kind = 1;
const lengthKind = 2;

const firstBytes = 128 * 1024;

export class ProtobufWriter {
  #buffer = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @returns what was written; the writer is empty after it */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#length);
    // Not as large as after one long value: each part would take that memory.
    this.#buffer = Buffer.allocUnsafe(firstBytes);
    this.#length = 0;
    return taken;
  }

  uint(field: number, value: bigint): void {
    this.#varint(BigInt(field * 8 + varintKind));
    this.#varint(BigInt.asUintN(64, value));
  }

  /** The types `sint32` and `sint64`. */
  sint(field: number, value: bigint): void {
    this.uint(field, BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  }

  double(field: number, value: number): void {
    this.#varint(BigInt(field * 8 + fixed64Kind));
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  text(field: number, value: string): void {
    const bytes = Buffer.byteLength(value);
    this.#varint(BigInt(field * 8 + lengthKind));
    this.#varint(BigInt(bytes));
    this.#reserve(bytes);
    this.#length += this.#buffer.write(value, this.#length);
  }

  message(field: number, write: () => void): void {
    this.#varint(BigInt(field * 8 + lengthKind));
    this.delimited(write);
  }

  /** A message after its length, as in `writeDelimitedTo`. */
  delimited(write: () => void): void {
    this.#reserve(1);
    const start = ++this.#length;
    write();
    let rest = this.#length - start;
    const extra = sizeOf(rest) - 1;
    if (extra > 0) {
      this.#reserve(extra);
      this.#buffer.copyWithin(start + extra, start, this.#length);
      this.#length += extra;
    }
    let at = start - 1;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#buffer[at++] = (rest % 128) | 128;
    this.#buffer[at] = rest;
  }

  #varint(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    for (; rest > 127n; rest >>= 7n) this.#buffer[this.#length++] = Number(rest & 127n) | 128;
    this.#buffer[this.#length++] = Number(rest);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

function sizeOf(length: number): number {
  let size = 1;
  for (let rest = length; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}
