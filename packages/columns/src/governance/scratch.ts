/** Memory for numbers of one batch that nobody keeps: used again for the next, since fresh memory costs more than the work on it. */

export class Scratch {
  private memory = new Int32Array(0);

  /** @returns so many numbers of whatever value; theirs until this is asked again */
  take(length: number): Int32Array {
    if (this.memory.length < length) this.memory = new Int32Array(length);
    return this.memory.subarray(0, length);
  }
}
