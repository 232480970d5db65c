/**
 * Reads untrusted FlatBuffers, the format of Arrow's metadata. Every position is checked against the bounds. The work
 * is limited to a multiple of the message length.
 */
import { malformed } from '../errors.ts';

/** Max number of table references per message: a message can refer to one table many times. */
const maxTables = 100_000;
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Bytes {
  readonly view: DataView;
  private tables = 0;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws ArrowError unless `size` bytes at `position` are within bounds */
  check(position: number, size: number): number {
    if (position < 0 || position + size > this.bytes.length) {
      throw malformed(`its metadata points to byte ${position + size} of ${this.bytes.length}`);
    }
    return position;
  }

  uint32(position: number): number {
    return this.view.getUint32(this.check(position, 4), true);
  }

  int64(position: number): number {
    return this.checkedInt64(this.check(position, 8));
  }

  /** Reads at a checked position. */
  checkedInt64(position: number): number {
    const value = this.view.getInt32(position + 4, true) * 2 ** 32 + this.view.getUint32(position, true);
    if (!Number.isSafeInteger(value)) throw malformed(`its metadata holds the number ${value}, beyond 2^53`);
    return value;
  }

  countTable(): void {
    if (++this.tables > maxTables) throw malformed(`its metadata refers to more than ${maxTables} tables`);
  }
}

/** A run of `count` fixed-size structs at `position`. */
export interface Structs {
  count: number;
  position: number;
}

/** A table; fields are named by their index in the schema of the format (`Message.fbs`, `Schema.fbs`). */
export class FlatTable {
  private readonly vtable: number;
  private readonly fields: number;
  private readonly size: number;

  private constructor(
    private readonly from: Bytes,
    private readonly position: number,
  ) {
    from.countTable();
    this.vtable = position - from.view.getInt32(from.check(position, 4), true);
    from.check(this.vtable, 4);
    const bytes = from.view.getUint16(this.vtable, true);
    this.size = from.view.getUint16(this.vtable + 2, true);
    if (bytes < 4 || bytes % 2 !== 0 || this.size < 4) throw malformed('its metadata holds a table without layout');
    from.check(this.vtable, bytes);
    from.check(position, this.size);
    this.fields = (bytes - 4) / 2;
  }

  /** The root table. */
  static root(bytes: Uint8Array): FlatTable {
    const from = new Bytes(bytes);
    return new FlatTable(from, from.uint32(0));
  }

  bool(field: number): boolean {
    return this.int8(field, 0) !== 0;
  }

  int8(field: number, otherwise: number): number {
    const at = this.at(field, 1);
    return at === undefined ? otherwise : this.from.view.getInt8(at);
  }

  int16(field: number, otherwise: number): number {
    const at = this.at(field, 2);
    return at === undefined ? otherwise : this.from.view.getInt16(at, true);
  }

  int32(field: number, otherwise: number): number {
    const at = this.at(field, 4);
    return at === undefined ? otherwise : this.from.view.getInt32(at, true);
  }

  /** 0 if absent; always a safe integer. */
  int64(field: number): number {
    const at = this.at(field, 8);
    return at === undefined ? 0 : this.from.int64(at);
  }

  string(field: number): string | undefined {
    const at = this.reference(field);
    if (at === undefined) return undefined;
    const length = this.from.uint32(at);
    this.from.check(at + 4, length);
    try {
      return text.decode(this.from.bytes.subarray(at + 4, at + 4 + length));
    } catch {
      throw malformed('its metadata holds a text that is not UTF-8');
    }
  }

  table(field: number): FlatTable | undefined {
    const at = this.reference(field);
    return at === undefined ? undefined : new FlatTable(this.from, at);
  }

  /** Empty if absent. */
  tables(field: number): FlatTable[] {
    const { count, position } = this.structs(field, 4);
    return Array.from({ length: count }, (_, i) => {
      const at = position + 4 * i;
      return new FlatTable(this.from, at + this.from.uint32(at));
    });
  }

  structs(field: number, size: number): Structs {
    const at = this.reference(field);
    if (at === undefined) return { count: 0, position: 0 };
    const count = this.from.uint32(at);
    return { count, position: this.from.check(at + 4, count * size) };
  }

  /** The 64-bit numbers of a run from `structs`. */
  int64s({ count, position }: Structs, perStruct: number): Float64Array {
    const numbers = new Float64Array(count * perStruct);
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.from.checkedInt64(position + 8 * i);
    return numbers;
  }

  int32s({ count, position }: Structs): Int32Array {
    const numbers = new Int32Array(count);
    for (let i = 0; i < count; i++) numbers[i] = this.from.view.getInt32(position + 4 * i, true);
    return numbers;
  }

  /** Position of a field; undefined if absent. */
  private at(field: number, size: number): number | undefined {
    if (field >= this.fields) return undefined;
    const offset = this.from.view.getUint16(this.vtable + 4 + 2 * field, true);
    if (offset === 0) return undefined;
    if (offset + size > this.size) throw malformed('its metadata holds a field outside its table');
    return this.position + offset;
  }

  private reference(field: number): number | undefined {
    const at = this.at(field, 4);
    return at === undefined ? undefined : at + this.from.uint32(at);
  }
}
