/** Passes batches from a producer that cannot wait to a consumer, and shows when the producer should pause. */

export class BatchQueue<T> {
  private readonly waiting: T[] = [];
  private end: { failure?: unknown } | undefined;
  private wake: () => void = () => {};

  /** Whether the producer should pause. */
  get isFull(): boolean {
    return this.waiting.length > 0;
  }

  push(item: T): void {
    this.waiting.push(item);
    this.wake();
  }

  /** No item follows. */
  close(): void {
    this.end ??= {};
    this.wake();
  }

  /** Items that wait are dropped: what was read is not whole. */
  fail(failure: unknown): void {
    this.end = { failure };
    this.waiting.length = 0;
    this.wake();
  }

  /** @param onTaken called when an item has left */
  async *items(onTaken: () => void): AsyncGenerator<T, void, void> {
    for (;;) {
      const item = this.waiting.shift();
      if (item !== undefined) {
        if (!this.isFull) onTaken();
        yield item;
      } else if (!this.end) await new Promise<void>((resolve) => (this.wake = resolve));
      else if ('failure' in this.end) throw this.end.failure;
      else return;
    }
  }
}
