/** One call of `run` or `simulate` at a time: others would take the processors of a measurement. */
import { TopoBenchError } from '@topo-bench/core';

export class Measurements {
  #running: string | undefined;

  /**
   * @param name tool and experiment
   * @throws TopoBenchError `TB_USAGE` with the name of what is still running
   */
  async alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#running !== undefined) {
      const message = `${name}: ${this.#running} is still running, and this server measures one experiment at a time`;
      throw new TopoBenchError('TB_USAGE', message, { hint: 'call again after its answer, or cancel it' });
    }
    this.#running = name;
    try {
      return await work();
    } finally {
      this.#running = undefined;
    }
  }
}
