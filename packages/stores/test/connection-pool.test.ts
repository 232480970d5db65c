import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionPool, type PoolLimits } from '../src/connection-pool.ts';

interface Connection {
  number: number;
  open: boolean;
}

/** Connections that are only numbered. */
function pretendDriver() {
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
  const driver = pretendDriver();
  const pool = new ConnectionPool(driver, { size: 2, queueLimit: 1000, waitMs: 60_000, timeoutMs: 60_000, ...limits });
  return { pool, driver };
}

/** An operation that ends when it is told to. */
function held() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { operation: () => ended, end: () => end() };
}

describe('a pool of connections', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('opens as many as it has slots, and serves the others in the order in which they came', async () => {
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

  it('says that the store is busy beyond its bound at once, and to who has waited too long', async () => {
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

  it('gives nobody the answer that an operation gave up waiting for', async () => {
    const { pool, driver } = poolOf({ size: 1, timeoutMs: 100 });
    const late = held();
    const given = pool.use(late.operation).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await given).toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    expect(await pool.use(async ({ number }) => number)).toBe(2);
    late.end();
    expect(driver.made.map(({ open }) => open)).toEqual([false, true]);
  });

  it('opens a connection anew after it broke, and keeps one whose operation was merely wrong', async () => {
    const { pool } = poolOf({ size: 1 });
    const fail = (message: string) => pool.use(() => Promise.reject(new Error(message)));
    await expect(fail('wrong')).rejects.toThrow('wrong');
    expect(await pool.use(async ({ number }) => number)).toBe(1);
    await expect(fail('gone')).rejects.toMatchObject({ code: 'TB_STORE_UNAVAILABLE' });
    expect(await pool.use(async ({ number }) => number)).toBe(2);
  });

  it('ends after what is under way, and refuses what waits', async () => {
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
