/** Memory for the governance kernels. Allocating and zeroing fresh memory would cost as much as the work on it. */

/** A number array, reused for every batch. */
export class Scratch {
  private memory = new Int32Array(0);

  /** @returns `length` numbers with arbitrary values, valid until the next call */
  take(length: number): Int32Array {
    if (this.memory.length < length) this.memory = new Int32Array(length);
    return this.memory.subarray(0, length);
  }
}

/** @returns memory of at least `bytes` bytes with arbitrary content; the caller writes every byte that it uses */
export type Allocate = (bytes: number) => ArrayBuffer;

/** Fresh memory. */
export const allocUninitialised: Allocate = (bytes) => Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
