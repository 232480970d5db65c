import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionPool, type PoolLimits } from '../src/connection-pool.ts';

interface Connection {
  number: number;
  open: boolean;
}

/** Connections that are only numbered. */
function fakeDriver() {
  const made: Connection[] = [];
  return {
    made,
    connect: async () => {
      const connection = { number: made.length + 1, open: true };
      made.push(connection);
      return connection;
    },
    isOpen: ({ open }: Connection) => open,
    disconnect: (connection: Connection) => {
      connection.open = false;
    },
    isUnavailable: (error: unknown) => (error as Error).message === 'gone',
  };
}

function poolOf(limits: Partial<PoolLimits> = {}) {
  const driver = fakeDriver();
  const pool = new ConnectionPool(driver, { size: 2, queueLimit: 1000, waitMs: 60_000, timeoutMs: 60_000, ...limits });
  return { pool, driver };
}

/** An operation with a manual end. */
function held() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { operation: () => ended, end: () => end() };
}

describe('a pool of connections', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('opens one connection per slot, and serves waiting operations first in, first out', async () => {
    const { pool, driver } = poolOf();
    const [first, second] = [held(), held()];
    const started: number[] = [];
    const all = [pool.use(first.operation), pool.use(second.operation)];
    for (let number = 0; number < 1000; number++) all.push(pool.use(async () => void started.push(number)));
    await vi.advanceTimersByTimeAsync(0);
    expect(pool.load).toEqual({ active: 2, waiting: 1000 });
    expect(started).toEqual([]);
    second.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual(Array.from({ length: 1000 }, (_, number) => number));
    first.end();
    await Promise.all(all);
    expect(pool.load).toEqual({ active: 0, waiting: 0 });
    expect(driver.made).toHaveLength(2);
  });

  it('rejects as busy at once beyond its limit, and after the max wait', async () => {
    const { pool } = poolOf({ size: 1, queueLimit: 1, waitMs: 500 });
    const first = held();
    const using = pool.use(first.operation);
    const waiting = pool.use(async () => 'never').catch((error: unknown) => error);
    await expect(pool.use(async () => 'never')).rejects.toMatchObject({ code: 'TB_STORE_BUSY' });
    await vi.advanceTimersByTimeAsync(499);
    expect(pool.load.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toMatchObject({ code: 'TB_STORE_BUSY', message: expect.stringContaining('500 ms') });
    first.end();
    await using;
    expect(await pool.use(async () => 'again')).toBe('again');
  });

  it('never delivers the late answer of a timed-out operation to another', async () => {
    const { pool, driver } = poolOf({ size: 1, timeoutMs: 100 });
    const late = held();
    const given = pool.use(late.operation).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await given).toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    expect(await pool.use(async ({ number }) => number)).toBe(2);
    late.end();
    expect(driver.made.map(({ open }) => open)).toEqual([false, true]);
  });

  it('reopens a lost connection, and keeps one after an error of its operation', async () => {
    const { pool } = poolOf({ size: 1 });
    const fail = (message: string) => pool.use(() => Promise.reject(new Error(message)));
    await expect(fail('wrong')).rejects.toThrow('wrong');
    expect(await pool.use(async ({ number }) => number)).toBe(1);
    await expect(fail('gone')).rejects.toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    expect(await pool.use(async ({ number }) => number)).toBe(2);
  });

  it('closes after the operations in flight, and rejects those that wait', async () => {
    vi.useRealTimers();
    const { pool, driver } = poolOf({ size: 1 });
    const first = held();
    const using = pool.use(first.operation);
    const waiting = pool.use(async () => 'never').catch((error: unknown) => error);
    await sleep(0);
    const closed = pool.close();
    expect(await waiting).toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    expect(driver.made[0]?.open).toBe(true);
    first.end();
    await Promise.all([using, closed]);
    expect(driver.made[0]?.open).toBe(false);
  });
});
