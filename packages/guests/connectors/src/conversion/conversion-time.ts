/**
 * The time in which rows become record batches, without the wait for rows before it and for the reader after it. Rows
 * and batches pass through one generator each: between the two, the work is that of the conversion.
 */
export class ConversionTime {
  #us = 0;
  #sinceMs: number | undefined;

  /** In µs, so far. */
  get us(): number {
    return Math.round(this.#us);
  }

  /** Starts the clock with each group of rows. */
  async *ofRows<Rows>(rows: AsyncIterable<Rows>): AsyncGenerator<Rows, void, void> {
    for await (const group of rows) {
      this.#start();
      yield group;
      this.#stop();
    }
    // A last batch of fewer rows follows.
    this.#start();
  }

  /** Stops the clock while the reader has a batch. */
  async *ofBatches<Batch>(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, void, void> {
    for await (const batch of batches) {
      this.#stop();
      yield batch;
      this.#start();
    }
    this.#stop();
  }

  #start(): void {
    this.#sinceMs = performance.now();
  }

  #stop(): void {
    if (this.#sinceMs !== undefined) this.#us += (performance.now() - this.#sinceMs) * 1e3;
    this.#sinceMs = undefined;
  }
}
