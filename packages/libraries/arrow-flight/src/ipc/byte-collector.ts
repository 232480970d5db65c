/**
 * Collects chunks of any size into the byte runs that a reader requests: a view of one chunk if possible, otherwise one
 * copy.
 */
import { malformed } from '../errors.ts';

export class ByteCollector {
  private readonly chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    this.chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /**
   * The next `size` bytes. Memory grows with received bytes, not with the announced size.
   * @throws ArrowError `ARROW_MALFORMED` when the source ends early
   */
  async take(size: number): Promise<Uint8Array> {
    if (size <= this.rest.length) return this.cut(size);
    const parts = [this.rest];
    let got = this.rest.length;
    while (got < size) {
      const { value, done } = await this.chunks.next();
      if (done) throw malformed(`the stream stops ${size - got} bytes short of what it announced`);
      parts.push(value);
      got += value.length;
    }
    const last = parts.pop() as Uint8Array;
    const used = last.length - (got - size);
    const run = new Uint8Array(size);
    let at = 0;
    for (const part of [...parts, last.subarray(0, used)]) {
      run.set(part, at);
      at += part.length;
    }
    this.rest = last.subarray(used);
    return run;
  }

  /** Whether the source has ended; waits for it if necessary. */
  async isAtEnd(): Promise<boolean> {
    while (this.rest.length === 0) {
      const { value, done } = await this.chunks.next();
      if (done) return true;
      this.rest = value;
    }
    return false;
  }

  /** Ends the source. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private cut(size: number): Uint8Array {
    const run = this.rest.subarray(0, size);
    this.rest = this.rest.subarray(size);
    return run;
  }
}
