/** A column of numbers of unknown length: latencies of rows and of calls. */
export class GrowingColumn {
  private column = new Float64Array(1024);
  private count = 0;

  push(value: number): void {
    if (this.count === this.column.length) {
      const longer = new Float64Array(this.count * 2);
      longer.set(this.column);
      this.column = longer;
    }
    this.column[this.count++] = value;
  }

  values(): Float64Array {
    return this.column.subarray(0, this.count);
  }
}
