import { monotonicClock, randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { DeadlineQueue } from '../../src/hops/deadline-queue.ts';

const nowUs = (): number => monotonicClock.nowUs();

/** Waits side by side, begun at random moments. @returns for each, in the order of their ends, how late it ended */
async function lateBy(waits: DeadlineQueue, draws: readonly number[]): Promise<{ dueUs: number; lateUs: number }[]> {
  const ended: { dueUs: number; lateUs: number }[] = [];
  await Promise.all(
    draws.map(async (us, i) => {
      await new Promise((resolve) => setTimeout(resolve, i % 37));
      const startUs = nowUs();
      await waits.sleep(us);
      ended.push({ dueUs: startUs + us, lateUs: nowUs() - startUs - us });
    }),
  );
  return ended;
}

describe('a queue of deadlines', () => {
  it('ends no wait early, however many overlap', async () => {
    const random = randomStream(7, 'waits');
    const draws = Array.from({ length: 3000 }, () => random.uniform() * 60_000);
    const ended = await lateBy(new DeadlineQueue(monotonicClock), draws);
    expect(ended).toHaveLength(draws.length);
    expect(ended.filter(({ lateUs }) => lateUs < 0)).toEqual([]);
  });

  it('ends waits in the order of their deadlines, and equal ones in order of arrival', async () => {
    // A clock that stands still until it is moved on: all deadlines are exact.
    let now = 0;
    const waits = new DeadlineQueue({ nowUs: () => now });
    const random = randomStream(7, 'order');
    const ended: [number, number][] = [];
    const draws = Array.from({ length: 500 }, (_, i): [number, number] => [Math.floor(random.uniform() * 50) * 10, i]);
    const all = draws.map(([us, i]) => waits.sleep(us).then(() => ended.push([us, i])));
    now = 250;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ended.length).toBe(draws.filter(([us]) => us <= 250).length);
    now = 1e6;
    await Promise.all(all);
    expect(ended).toEqual(draws.toSorted(([a, i], [b, j]) => a - b || i - j));
  });

  it('wakes up for a wait that ends before one that was begun earlier', async () => {
    const waits = new DeadlineQueue(monotonicClock);
    const order: string[] = [];
    const long = waits.sleep(300_000).then(() => order.push('long'));
    await waits.sleep(5000).then(() => order.push('short'));
    expect(order).toEqual(['short']);
    await long;
  });

  it('passes a long wait without using the processor', async () => {
    const waits = new DeadlineQueue(monotonicClock);
    const before = process.cpuUsage();
    await waits.sleep(1_000_000);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(200_000);
  });
});
