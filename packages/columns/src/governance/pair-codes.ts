/** Codes for pairs of codes: equal pairs have equal codes. Small codes use a table, larger ones a map. */
import { Scratch } from './buffers.ts';

const tableBits = 9;
const tableSide = 1 << tableBits;

export class PairCodes {
  private readonly table = new Int32Array(tableSide * tableSide);
  private readonly map = new Map<number, number>();
  private readonly scratch = new Scratch();
  private given = 0;

  /** Exclusive upper bound of the codes. */
  get count(): number {
    return this.given;
  }

  /** Codes by row, valid until the next call. */
  codes(first: Int32Array, second: Int32Array): Int32Array {
    const codes = this.scratch.take(first.length);
    for (let i = 0; i < codes.length; i++) codes[i] = this.of(first[i] as number, second[i] as number);
    return codes;
  }

  private of(a: number, b: number): number {
    if (a < tableSide && b < tableSide) {
      // Stored plus one: 0 is an empty entry.
      const at = (a << tableBits) | b;
      const known = this.table[at] as number;
      if (known > 0) return known - 1;
      this.table[at] = ++this.given;
      return this.given - 1;
    }
    const key = a * 2 ** 26 + b;
    const known = this.map.get(key);
    if (known !== undefined) return known;
    this.map.set(key, this.given);
    return this.given++;
  }
}
