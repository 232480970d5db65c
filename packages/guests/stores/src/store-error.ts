/** The errors of all stores: one class for each error answer of a service about its store. */
import { isDiskFullError, reportsFullDisk, TopoBenchError } from '@topo-bench/core';
import type { StoreServer } from './servers/store-server.ts';

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

/** The database cannot write for lack of space on its disk: every later write would fail too. */
export class StoreDiskFull extends TopoBenchError {
  /** @param failed what failed: `cannot prepare 5 rows` */
  constructor(cause: unknown, failed?: string) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${failed === undefined ? '' : `${failed}: `}the disk of the store is full (${reason})`;
    super('TB_STORE_DISK_FULL', message, { hint: waysToSpace['connection-string'], cause });
  }
}

/** The error of a failed step of preparing a store. */
export function preparationFailure(what: string, cause: unknown): StoreRefused | StoreDiskFull {
  return reportsFullDisk(cause) ? new StoreDiskFull(cause, `cannot ${what}`) : new StoreRefused(what, cause);
}

const ownFolder = 'free space, or name a larger folder for temporary files with TMPDIR';

/** How the disk of a server gets space, by the origin of the server. */
export const waysToSpace: Readonly<Record<StoreServer['origin'], string>> = {
  'connection-string': 'free space on the disk of the database server',
  image: 'free space on the disk of the container engine',
  embedded: ownFolder,
  'found-binary': ownFolder,
};

/** A full disk with the way to space of this server; any other error as it is. */
export function withWayToSpace(error: unknown, { origin }: Pick<StoreServer, 'origin'>): unknown {
  if (!isDiskFullError(error)) return error;
  return new TopoBenchError(error.code, error.message, { hint: waysToSpace[origin], cause: error });
}

/** The error of a failed use of a server: a full disk, if the error or the server states one. */
export function failureOn(server: Pick<StoreServer, 'origin' | 'hasFullDisk'>, error: unknown): unknown {
  const isStated = !reportsFullDisk(error) && server.hasFullDisk?.();
  return withWayToSpace(isStated ? new StoreDiskFull(error) : error, server);
}

/** Another job has claimed the partition: this one, which it replaces, must not write any more. */
export class StoreClaimed extends TopoBenchError {
  constructor(partition: number) {
    super('TB_STORE_CLAIMED', `partition ${partition} of the stream has a new owner: another job has taken over`, {
      hint: 'run one job at a time on a heat map',
    });
  }
}
