/**
 * Limits password guessing. A connection is refused after a few wrong passwords. After a few from one address, further
 * attempts from there wait in turn, with growing delays; other addresses do not wait. An attempt counts while it is
 * checked, so that a burst gets no further than single attempts. Right and wrong attempts wait alike: the response time
 * reveals nothing, and more connections do not help.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FlightError } from '../errors.ts';

export interface TryBounds {
  /** Max wrong passwords per connection. Default: 5. */
  perConnection?: number;
  /** Wrong passwords from one address before attempts from there wait. Default: 10. */
  free?: number;
  /** First delay; each further wrong password doubles it. Default: 100 ms. */
  firstWaitMs?: number;
  /** Max delay. Default: 5 s. */
  maxWaitMs?: number;
  /** Time without a wrong password after which the count of an address drops by one. Default: 10 s. */
  forgetMs?: number;
  /** Max waiting attempts of one address; further ones are refused. Default: 32. */
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
/** Max connections, and addresses, with a count of their own. Beyond it the oldest is dropped. */
const maxCounts = 10_000;

/** The attempts of one connection, or of one address. */
class Tries {
  wrong = 0;
  countedMs = 0;
  /** Attempts that are being checked. */
  pending = 0;
  waiting = 0;
  /** Resolves when all earlier attempts are over. */
  turn: Promise<unknown> = Promise.resolve();
}

type Check = () => boolean | Promise<boolean>;

export class PasswordTries {
  private readonly bounds: Required<TryBounds>;
  private readonly connections = new Map<string, Tries>();
  private readonly addresses = new Map<string, Tries>();

  constructor(
    bounds: TryBounds = {},
    private readonly nowMs: () => number = Date.now,
  ) {
    this.bounds = { ...defaults, ...bounds };
  }

  /**
   * Checks a password once.
   * @param connection address and port of the caller
   * @throws FlightError `unauthenticated` for a wrong password or a blocked connection; `resource-exhausted` when too
   * many attempts from the address are waiting
   */
  async attempt(connection: string, check: Check): Promise<void> {
    const own = triesOf(this.connections, connection);
    const address = triesOf(this.addresses, addressOf(connection));
    try {
      await this.inTurn(own, address, check);
    } finally {
      if (isUnused(own)) this.connections.delete(connection);
      if (isUnused(address)) this.addresses.delete(addressOf(connection));
    }
  }

  private inTurn(own: Tries, address: Tries, check: Check): Promise<void> {
    const { perConnection, free, maxWaiting } = this.bounds;
    const isFree =
      address.waiting === 0 &&
      own.wrong + own.pending < perConnection &&
      this.remembered(address) + address.pending < free;
    if (isFree) {
      const attempt = this.run(own, address, check);
      if (address.pending > 0) address.turn = Promise.allSettled([address.turn, attempt]);
      return attempt;
    }
    if (this.waitMs(address) > 0 && address.waiting >= maxWaiting) {
      throw new FlightError('resource-exhausted', 'too many login attempts are waiting', { hint: 'try again later' });
    }
    address.waiting++;
    const attempt = address.turn.then(async () => {
      // Evaluated when the turn comes: earlier attempts may have been wrong too.
      if (own.wrong < perConnection) await sleep(this.waitMs(address), undefined, { ref: false });
      address.waiting--;
      await this.run(own, address, check);
    });
    address.turn = attempt.catch(() => {});
    return attempt;
  }

  private async run(own: Tries, address: Tries, check: Check): Promise<void> {
    if (own.wrong >= this.bounds.perConnection) {
      throw new FlightError('unauthenticated', 'too many wrong passwords on this connection', {
        hint: 'connect again',
      });
    }
    own.pending++;
    address.pending++;
    try {
      const verdict = check();
      // Without a wait where none is needed: several calls of one read are no burst.
      if (typeof verdict === 'boolean' ? verdict : await verdict) return;
      own.wrong++;
      address.wrong = this.remembered(address) + 1;
      address.countedMs = this.nowMs();
    } finally {
      own.pending--;
      address.pending--;
    }
    throw new FlightError('unauthenticated', 'wrong user name or password');
  }

  private waitMs(address: Tries): number {
    const { free, firstWaitMs, maxWaitMs } = this.bounds;
    const over = this.remembered(address) - free;
    return over < 0 ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** over);
  }

  private remembered({ wrong, countedMs }: Tries): number {
    return Math.max(0, wrong - Math.floor((this.nowMs() - countedMs) / this.bounds.forgetMs));
  }
}

function triesOf(counts: Map<string, Tries>, key: string): Tries {
  const known = counts.get(key);
  if (known) return known;
  const [oldest] = counts.keys();
  if (counts.size >= maxCounts && oldest !== undefined) counts.delete(oldest);
  const tries = new Tries();
  counts.set(key, tries);
  return tries;
}

function isUnused({ wrong, pending, waiting }: Tries): boolean {
  return wrong + pending + waiting === 0;
}

/** The address of a caller; for IPv6 its network of 64 bits, in which a host has any number of addresses. */
function addressOf(connection: string): string {
  const address = connection.slice(0, connection.lastIndexOf(':'));
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = [], after] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - (after?.length ?? 0) }, () => '0');
  return [...before, ...zeros, ...(after ?? [])].slice(0, 4).join(':');
}
