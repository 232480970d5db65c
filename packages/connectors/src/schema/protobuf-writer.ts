/** Fields of protobuf messages, appended to one growing buffer. https://protobuf.dev/programming-guides/encoding/ */

const varintKind = 0;
const fixed64Kind = 1;
const lengthKind = 2;

const firstBytes = 128 * 1024;
/** Longer texts are faster in Node.js. The length of a shorter one has one byte. */
const maxAsciiLength = 32;

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

  /** @param value exact: a number is at most 2^53 */
  uint(field: number, value: number | bigint): void {
    this.#tag(field, varintKind);
    if (typeof value === 'number') this.#varint(value);
    else this.#bigVarint(BigInt.asUintN(64, value));
  }

  /** The types `sint32` and `sint64`. @param value exact: a number is within ±2^52 */
  sint(field: number, value: number | bigint): void {
    this.#tag(field, varintKind);
    if (typeof value === 'number') this.#varint(value >= 0 ? 2 * value : -2 * value - 1);
    else this.#bigVarint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  }

  double(field: number, value: number): void {
    this.#tag(field, fixed64Kind);
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  text(field: number, value: string): void {
    this.#tag(field, lengthKind);
    if (value.length <= maxAsciiLength && this.#ascii(value)) return;
    const bytes = Buffer.byteLength(value);
    this.#varint(bytes);
    this.#reserve(bytes);
    this.#length += this.#buffer.write(value, this.#length);
  }

  message(field: number, write: () => void): void {
    const start = this.open(field);
    write();
    this.close(start);
  }

  /** A message after its length, as in `writeDelimitedTo`. */
  delimited(write: () => void): void {
    const start = this.#openLength();
    write();
    this.close(start);
  }

  /** Begins a message. @returns its start, for `close` */
  open(field: number): number {
    this.#tag(field, lengthKind);
    return this.#openLength();
  }

  /** Ends the message that began at this place. */
  close(start: number): void {
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

  /** Leaves room for a length below 128; `close` makes more for others. */
  #openLength(): number {
    this.#reserve(1);
    return ++this.#length;
  }

  /** A short text with its length, byte by byte, which is faster than a call into Node.js. @returns false: not ASCII */
  #ascii(value: string): boolean {
    this.#reserve(1 + value.length);
    const start = this.#length + 1;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) return false;
      this.#buffer[start + index] = code;
    }
    this.#buffer[this.#length] = value.length;
    this.#length = start + value.length;
    return true;
  }

  #tag(field: number, kind: number): void {
    this.#varint(field * 8 + kind);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#buffer[this.#length++] = (rest % 128) | 128;
    this.#buffer[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
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
