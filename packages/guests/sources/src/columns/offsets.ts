/** The offsets of a column with values of varying length: where each row starts, and the end of the last one. */

export class Offsets {
  private values: Int32Array;
  /** Rows that have an end. */
  private rows = 0;

  constructor(private capacity: number) {
    this.values = new Int32Array(capacity + 1);
  }

  /** The end of the rows so far: where the next one starts. */
  get end(): number {
    return this.values[this.rows] as number;
  }

  /** Ends `row` at `end`. Rows that were skipped before it are empty. */
  endRow(row: number, end: number): void {
    this.skipTo(row);
    this.values[row + 1] = end;
    this.rows = row + 1;
  }

  take(rows: number): Int32Array {
    this.skipTo(rows);
    const taken = this.values.subarray(0, rows + 1);
    this.values = new Int32Array(this.capacity + 1);
    this.rows = 0;
    return taken;
  }

  private skipTo(row: number): void {
    if (row >= this.capacity) {
      this.capacity = Math.max(2 * this.capacity, row + 1);
      const smaller = this.values;
      this.values = new Int32Array(this.capacity + 1);
      this.values.set(smaller);
    }
    if (this.rows < row) this.values.fill(this.end, this.rows + 1, row + 1);
    this.rows = row;
  }
}
