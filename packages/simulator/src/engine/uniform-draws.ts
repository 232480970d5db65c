/** The draws of a random stream, a block at a time: a number in a typed array needs no memory of its own. */
import type { RandomStream } from '@topo-bench/core';

const block = 4096;

export class UniformDraws {
  private readonly values = new Float64Array(block);
  private at = block;

  constructor(private readonly random: RandomStream) {}

  /** Uniform in [0, 1), in the order of the stream. */
  next(): number {
    if (this.at === block) this.fill();
    return this.values[this.at++] as number;
  }

  private fill(): void {
    const { values, random } = this;
    for (let i = 0; i < block; i++) values[i] = random.uniform();
    this.at = 0;
  }
}
