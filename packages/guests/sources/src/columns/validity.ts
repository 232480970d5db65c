/** The null bitmap of a column that is being built: it exists from the first null on. */

export class Validity {
  nullCount = 0;
  private bits: Uint8Array | undefined;

  setNull(row: number): void {
    const index = row >>> 3;
    this.bits ??= new Uint8Array(Math.max(64, index + 1)).fill(0xff);
    if (index >= this.bits.length) {
      const larger = new Uint8Array(Math.max(2 * this.bits.length, index + 1)).fill(0xff);
      larger.set(this.bits);
      this.bits = larger;
    }
    this.bits[index] = (this.bits[index] as number) & ~(1 << (row & 7));
    this.nullCount++;
  }

  /** Returns the bitmap of the first `rows` rows, undefined without nulls, and starts anew. */
  take(rows: number): { nullCount: number; nullBitmap: Uint8Array | undefined } {
    const { bits, nullCount } = this;
    this.bits = undefined;
    this.nullCount = 0;
    if (!bits) return { nullCount, nullBitmap: undefined };
    const bytes = (rows + 7) >>> 3;
    if (bytes <= bits.length) return { nullCount, nullBitmap: bits.subarray(0, bytes) };
    const all = new Uint8Array(bytes).fill(0xff);
    all.set(bits);
    return { nullCount, nullBitmap: all };
  }
}
