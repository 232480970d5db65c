/** Forks whose branches are on their way in other processes: brings each outcome back to the holder that waits for it. */

import type { FlowState, Outcome } from '@topo-bench/flow';
import { HopFailure } from '@topo-bench/flow';

interface Join {
  arrived: (Outcome | undefined)[];
  waiting: ((outcome: Outcome) => void)[];
}

export class Joins {
  private readonly open = new Map<number, Join>();
  private nextKey = 0;

  get size(): number {
    return this.open.size;
  }

  /** Opens a fork before its branches start. @returns its key, to be closed by `close` */
  begin(): number {
    const key = this.nextKey++;
    this.open.set(key, { arrived: [], waiting: [] });
    return key;
  }

  close(key: number): void {
    this.open.delete(key);
  }

  /** Takes in a reported outcome. @returns false when nobody waits for it (again): it is ignored */
  arrive(outcome: Outcome): boolean {
    const { join, branch } = outcome.state;
    const entry = this.open.get(join);
    if (!entry || entry.arrived[branch]) return false;
    entry.arrived[branch] = outcome;
    entry.waiting[branch]?.(outcome);
    return true;
  }

  /**
   * Waits for the outcome of a branch that was handed over; past the request's deadline it is an error of the hop that took it.
   * @param state of the branch when it left
   */
  async outcomeOf(state: FlowState, hop: string): Promise<Outcome> {
    const entry = this.open.get(state.join) as Join;
    const arrived = entry.arrived[state.branch];
    if (arrived) return arrived;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        const { error, message } = new HopFailure('deadline', hop, `the branch handed to ${hop} was not heard of again`);
        this.arrive({ state, verdict: { kind: 'error', error, message } });
      };
      const timer = setTimeout(giveUp, Math.max(0, state.expiresMs - Date.now()));
      entry.waiting[state.branch] = (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
    });
  }
}
