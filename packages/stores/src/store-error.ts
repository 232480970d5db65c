/** The errors of all stores: one class for each error answer of a service about its store. */
import { TopoBenchError } from '@topo-bench/core';

/** The database is unreachable, refuses the connection, or does not answer in time. */
export class StoreUnavailable extends TopoBenchError {
  constructor(reason: string, cause?: unknown) {
    super('TB_STORE_UNAVAILABLE', `the store is not available: ${reason}`, cause === undefined ? {} : { cause });
  }
}

/** Too many operations wait for a connection, or this one has waited too long. */
export class StoreBusy extends TopoBenchError {
  constructor(reason: string) {
    super('TB_STORE_BUSY', `the store is busy: ${reason}`, {
      hint: 'lower the load, or raise `pool`, `queue` or `wait`',
    });
  }
}

/** The database denies an operation that preparing a store needs. */
export class StoreRefused extends TopoBenchError {
  constructor(what: string, cause: unknown) {
    super('TB_STORE_REFUSED', `cannot ${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Another job has claimed the partition: this one, which it replaces, must not write any more. */
export class StoreClaimed extends TopoBenchError {
  constructor(partition: number) {
    super('TB_STORE_CLAIMED', `partition ${partition} of the stream has a new owner: another job has taken over`, {
      hint: 'run one job at a time on a heat map',
    });
  }
}
