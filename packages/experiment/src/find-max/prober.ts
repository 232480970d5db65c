/** Loads the lines of a search one after the other, in turns, on deployments that all of them share. */
import type { Cell } from '@topo-bench/core/schema/result';
import type { Backend } from '../backend.ts';
import type { ExperimentCell, JointTestBed, MeasureContext } from '../study.ts';

export interface ProberOptions {
  backend: Backend;
  contextOf(cell: ExperimentCell): MeasureContext;
  onDeployed(bed: JointTestBed): Promise<void>;
}

/** Far from the repetitions of a run: probes must not send the requests by which their result is confirmed. */
const firstRepetition = 1001;

export class Prober {
  readonly #members: readonly ExperimentCell[];
  readonly #options: ProberOptions;
  #bed: JointTestBed | undefined;
  #count: number;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param members one cell per line; all are deployed together
   * @param count probes of earlier sessions
   */
  constructor(members: readonly ExperimentCell[], count: number, options: ProberOptions) {
    this.#members = members;
    this.#count = count;
    this.#options = options;
  }

  /** Waits for its turn. After a failure, all later probes reject with the same error. */
  probe<T>(cell: ExperimentCell, then: (entry: Cell) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => then(await this.#measure(cell)));
    this.#last = turn;
    // The caller handles the error of its own turn.
    turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#bed?.close();
    this.#bed = undefined;
  }

  async #measure(cell: ExperimentCell): Promise<Cell> {
    const context = this.#options.contextOf(cell);
    context.signal.throwIfAborted();
    if (this.#bed && !(await this.#bed.recover(cell, context))) {
      await this.#bed.close();
      this.#bed = undefined;
    }
    if (!this.#bed) {
      context.onPhase('deploy');
      this.#bed = await this.#options.backend.deployTogether(this.#members, context);
      await this.#options.onDeployed(this.#bed);
    }
    const [measured] = await this.#bed.measure([cell], firstRepetition + this.#count++, context);
    return (measured as { entry: Cell }).entry;
  }
}
