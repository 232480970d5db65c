/**
 * A pool of database connections: a fixed number of slots, assigned first in, first out. All drivers share it, so
 * limit, order and timeouts of waiting are the same for all stores. A connection is opened at the first use of its
 * slot, and again after a failure.
 */
import { reportsFullDisk } from '@topo-bench/core';
import { StoreBusy, StoreClaimed, StoreDiskFull, StoreUnavailable } from './store-error.ts';

export interface ConnectionDriver<C> {
  /** Opens a connection. Any error means that the database is unreachable. */
  connect(): Promise<C>;
  /** False once the connection is known to be lost. */
  isOpen(connection: C): boolean;
  /** Closes a connection in any state; never throws. */
  disconnect(connection: C): void;
  /**
   * Whether an operation failed because the database is gone or not ready, rather than because of the operation itself.
   */
  isUnavailable(error: unknown): boolean;
}

export interface PoolLimits {
  size: number;
  /** Max operations that wait for a slot. */
  queueLimit: number;
  waitMs: number;
  /** Timeout of connecting and the operation together. */
  timeoutMs: number;
}

interface Slot<C> {
  connection: C | undefined;
}

interface Waiter<C> {
  take(slot: Slot<C>): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

export class ConnectionPool<C> {
  private readonly idle: Slot<C>[];
  // A Map keeps the order of insertion and allows removal of any waiter at once.
  private readonly waiters = new Map<number, Waiter<C>>();
  private lastTicket = 0;
  private closed = false;
  private whenIdle: (() => void) | undefined;

  constructor(
    private readonly driver: ConnectionDriver<C>,
    private readonly limits: PoolLimits,
  ) {
    this.idle = Array.from({ length: limits.size }, () => ({ connection: undefined }));
  }

  get load(): { active: number; waiting: number } {
    return { active: this.limits.size - this.idle.length, waiting: this.waiters.size };
  }

  /**
   * Runs an operation on a connection of its own.
   * @throws StoreBusy, StoreUnavailable, StoreDiskFull, or the error of the operation
   */
  async use<T>(operation: (connection: C) => Promise<T>): Promise<T> {
    // The most recently used slot is warm: its connection, its statements, its memory on the server.
    const slot = this.closed ? undefined : (this.idle.pop() ?? (await this.wait()));
    if (slot === undefined) throw new StoreUnavailable('it is closed');
    try {
      return await this.withinTime(slot, operation);
    } finally {
      this.release(slot);
    }
  }

  /** Rejects waiting operations, waits for operations in flight, and closes every connection. */
  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiters.values()) {
      clearTimeout(waiter.timer);
      waiter.reject(new StoreUnavailable('it is closed'));
    }
    this.waiters.clear();
    if (this.idle.length < this.limits.size) await new Promise<void>((resolve) => (this.whenIdle = resolve));
    for (const slot of this.idle) this.drop(slot);
  }

  private wait(): Promise<Slot<C>> {
    const { queueLimit, waitMs } = this.limits;
    if (this.waiters.size >= queueLimit) {
      return Promise.reject(new StoreBusy(`${queueLimit} operations already wait for a connection`));
    }
    return new Promise((resolve, reject) => {
      const ticket = ++this.lastTicket;
      const timer = setTimeout(() => {
        this.waiters.delete(ticket);
        reject(new StoreBusy(`no connection became free within ${waitMs} ms`));
      }, waitMs);
      this.waiters.set(ticket, { take: resolve, reject, timer });
    });
  }

  private release(slot: Slot<C>): void {
    const next = this.waiters.entries().next();
    if (!next.done) {
      const [ticket, waiter] = next.value;
      this.waiters.delete(ticket);
      clearTimeout(waiter.timer);
      waiter.take(slot);
      return;
    }
    this.idle.push(slot);
    if (this.closed && this.idle.length === this.limits.size) this.whenIdle?.();
  }

  private withinTime<T>(slot: Slot<C>, operation: (connection: C) => Promise<T>): Promise<T> {
    const { timeoutMs } = this.limits;
    return new Promise<T>((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        // The answer may still arrive: no other operation may receive it.
        this.drop(slot);
        reject(new StoreUnavailable(`no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      this.run(slot, operation, () => late).then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }

  private async run<T>(slot: Slot<C>, operation: (connection: C) => Promise<T>, isLate: () => boolean): Promise<T> {
    let { connection } = slot;
    if (connection === undefined || !this.driver.isOpen(connection)) {
      this.drop(slot);
      connection = await this.connect();
      if (isLate()) {
        this.driver.disconnect(connection);
        throw new StoreUnavailable('connected after the timeout');
      }
      slot.connection = connection;
    }
    try {
      return await operation(connection);
    } catch (error) {
      if (error instanceof StoreClaimed) throw error;
      if (reportsFullDisk(error)) throw new StoreDiskFull(error);
      if (!this.driver.isUnavailable(error)) throw error;
      if (slot.connection === connection) this.drop(slot);
      throw new StoreUnavailable(reasonOf(error), error);
    }
  }

  private async connect(): Promise<C> {
    try {
      return await this.driver.connect();
    } catch (error) {
      if (reportsFullDisk(error)) throw new StoreDiskFull(error);
      throw new StoreUnavailable(reasonOf(error), error);
    }
  }

  private drop(slot: Slot<C>): void {
    const { connection } = slot;
    slot.connection = undefined;
    if (connection !== undefined) this.driver.disconnect(connection);
  }
}

/** Some system errors have a code and no message; those of several addresses have messages only in their parts. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
