/** A time limit that ends what runs when it is over, in the same way as an interrupt; the work before it is kept. */

export class Deadline {
  /** Aborts at the limit, and with the given signal. */
  readonly signal: AbortSignal;
  readonly #limit: AbortSignal;
  readonly #outer: AbortSignal;

  /** @param leftUs from now on */
  constructor(outer: AbortSignal, leftUs: number) {
    // Timers of Node.js take at most 2^31 − 1 ms.
    this.#limit = AbortSignal.timeout(Math.min(2 ** 31 - 1, Math.max(0, Math.ceil(leftUs / 1e3))));
    this.#outer = outer;
    this.signal = AbortSignal.any([outer, this.#limit]);
  }

  /** Whether the limit ended the work, and no interrupt. */
  get hasPassed(): boolean {
    return this.#limit.aborted && !this.#outer.aborted;
  }
}
