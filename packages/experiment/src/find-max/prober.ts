/** Loads the lines of a search one after the other, in turns, on deployments that all of them share. */
import type { Cell } from '@topo-bench/core/schema/result';
import type { ExperimentCell, MeasuredRepetition } from '@topo-bench/trial';
import { KeptBed } from '../kept-bed.ts';
import type { Session } from '../session.ts';

/** Far from the repetitions of a run: probes must not send the requests by which their result is confirmed. */
const firstRepetition = 1001;

export class Prober {
  readonly #members: readonly ExperimentCell[];
  readonly #session: Session;
  readonly #bed: KeptBed;
  #count: number;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param members one cell per line; all are deployed together
   * @param count probes of earlier sessions
   */
  constructor(members: readonly ExperimentCell[], count: number, session: Session) {
    this.#members = members;
    this.#count = count;
    this.#session = session;
    this.#bed = new KeptBed(session);
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
    await this.#bed.abandon();
  }

  async #measure(cell: ExperimentCell): Promise<Cell> {
    const context = this.#session.contextOf([cell], 0);
    const [measured] = await this.#bed.measure([cell], this.#members, firstRepetition + this.#count++, context);
    return (measured as MeasuredRepetition).entry;
  }
}
