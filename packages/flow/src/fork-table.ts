/** Open forks of a role: collects the outcomes of all branches, at any role, until all have joined. */
import { HopFailure } from './hop-failure.ts';
import type { FlowState, Outcome } from './messages.ts';

interface OpenFork {
  /** The request that opened it. */
  id: string;
  outcomes: (Outcome | undefined)[];
  missing: number;
  /** Branches that another role runs, by index. */
  away: { state: FlowState; hop: string }[];
  expired: boolean;
  joined(outcomes: Outcome[]): void;
}

export class ForkTable {
  private readonly open = new Map<number, OpenFork>();
  private nextKey = 0;

  get size(): number {
    return this.open.size;
  }

  /**
   * Opens a fork before its branches start.
   * @param id of the request. A role that has started again counts its forks anew: an outcome of a fork that it opened
   *   before must not join one of another request.
   * @param joined called once, with the outcomes in file order
   * @returns its key: `FlowState.join` of the branches
   */
  begin(id: string, branches: number, joined: (outcomes: Outcome[]) => void): number {
    const key = this.nextKey++;
    const outcomes = Array.from<Outcome | undefined>({ length: branches });
    this.open.set(key, { id, outcomes, missing: branches, away: [], expired: false, joined });
    return key;
  }

  /** A branch has ended. @returns false for one that is ignored: late, repeated, or of no fork that is open here */
  arrive(outcome: Outcome): boolean {
    const { id, join, branch } = outcome.state;
    const fork = this.open.get(join);
    if (fork?.id !== id || branch < 0 || branch >= fork.outcomes.length || fork.outcomes[branch]) return false;
    fork.outcomes[branch] = outcome;
    fork.missing--;
    if (fork.missing === 0) {
      this.open.delete(join);
      fork.joined(fork.outcomes as Outcome[]);
    }
    return true;
  }

  /** Another role has acknowledged a branch and will report its outcome. */
  handedOver(state: FlowState, hop: string): void {
    const fork = this.open.get(state.join);
    if (!fork) return;
    if (fork.expired) this.giveUp(state, hop);
    else fork.away.push({ state, hop });
  }

  /** The request timed out: branches at other roles end with an error that names the role. */
  expire(key: number): void {
    const fork = this.open.get(key);
    if (!fork) return;
    fork.expired = true;
    for (const { state, hop } of fork.away) this.giveUp(state, hop);
  }

  private giveUp(state: FlowState, hop: string): void {
    const { error, message } = new HopFailure('deadline', hop, `${hop} did not report the end of its branch in time`);
    this.arrive({ state, verdict: { kind: 'error', error, message } });
  }
}
