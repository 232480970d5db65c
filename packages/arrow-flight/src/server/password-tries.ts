/**
 * Limits password guessing. A connection is refused after a few wrong passwords. After a few on the whole server,
 * further attempts wait in turn, with growing delays. Right and wrong attempts wait alike: the response time reveals
 * nothing, and more connections do not help.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FlightError } from '../errors.ts';

export interface TryBounds {
  /** Max wrong passwords per connection. Default: 5. */
  perConnection?: number;
  /** Wrong passwords on the whole server before attempts wait. Default: 10. */
  free?: number;
  /** First delay; each further wrong password doubles it. Default: 100 ms. */
  firstWaitMs?: number;
  /** Max delay. Default: 5 s. */
  maxWaitMs?: number;
  /** Time without a wrong password after which the count drops by one. Default: 10 s. */
  forgetMs?: number;
  /** Max waiting attempts; further ones are refused. Default: 32. */
  maxWaiting?: number;
}

const defaults: Required<TryBounds> = {
  perConnection: 5,
  free: 10,
  firstWaitMs: 100,
  maxWaitMs: 5000,
  forgetMs: 10_000,
  maxWaiting: 32,
};
/** Max connections with a count of their own. Beyond it the oldest is dropped; the count of the server remains. */
const maxConnections = 10_000;

export class PasswordTries {
  private readonly bounds: Required<TryBounds>;
  private readonly wrongOf = new Map<string, number>();
  private wrong = 0;
  private countedMs = 0;
  private waiting = 0;
  private turn: Promise<void> = Promise.resolve();

  constructor(
    bounds: TryBounds = {},
    private readonly nowMs: () => number = Date.now,
  ) {
    this.bounds = { ...defaults, ...bounds };
  }

  /**
   * Checks a password once.
   * @param connection identifies the connection
   * @throws FlightError `unauthenticated` for a wrong password or a blocked connection; `resource-exhausted` when too
   * many attempts are waiting
   */
  async attempt(connection: string, check: () => boolean | Promise<boolean>): Promise<void> {
    if ((this.wrongOf.get(connection) ?? 0) >= this.bounds.perConnection) {
      throw new FlightError('unauthenticated', 'too many wrong passwords on this connection', {
        hint: 'connect again',
      });
    }
    await this.waitTurn();
    if (await check()) return;
    this.note(connection);
    throw new FlightError('unauthenticated', 'wrong user name or password');
  }

  private async waitTurn(): Promise<void> {
    if (this.waitMs() === 0) return;
    if (this.waiting >= this.bounds.maxWaiting) {
      throw new FlightError('resource-exhausted', 'too many login attempts are waiting', { hint: 'try again later' });
    }
    this.waiting++;
    // Evaluated when the turn comes: earlier attempts may have been wrong too.
    const turn = this.turn.then(() => sleep(this.waitMs()));
    this.turn = turn;
    await turn;
    this.waiting--;
  }

  private waitMs(): number {
    const { free, firstWaitMs, maxWaitMs } = this.bounds;
    const over = this.remembered() - free;
    return over < 0 ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** over);
  }

  private remembered(): number {
    return Math.max(0, this.wrong - Math.floor((this.nowMs() - this.countedMs) / this.bounds.forgetMs));
  }

  private note(connection: string): void {
    this.wrong = this.remembered() + 1;
    this.countedMs = this.nowMs();
    this.wrongOf.set(connection, (this.wrongOf.get(connection) ?? 0) + 1);
    const oldest = this.wrongOf.keys().next().value;
    if (this.wrongOf.size > maxConnections && oldest !== undefined) this.wrongOf.delete(oldest);
  }
}
