import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostClock } from '@topo-bench/host';
import { median } from '@topo-bench/stats';
import { describe, expect, it, vi } from 'vitest';
import { hasProc } from '../../../packages/host/test/fixtures/processes.ts';
import { createPacer } from '../../src/open/pacer.ts';
import { builtWorker } from '../fixtures/built-worker.ts';

const worker = builtWorker();

describe('the pacer', () => {
  it.skipIf(!hasProc)('keeps its thread until it is stopped: ending it would delay the last responses', async () => {
    const pacer = await createPacer(Float64Array.of(0, 20_000), worker.path);
    const isAlive = (): boolean => existsSync(`/proc/self/task/${pacer.thread}`);
    let calls = 0;
    pacer.start(hostClock.nowUs(), () => {
      calls++;
      return Number.POSITIVE_INFINITY;
    });
    await vi.waitFor(() => expect(calls).toBeGreaterThan(0), { timeout: 10_000 });
    await sleep(200);
    expect(isAlive()).toBe(true);
    pacer.stop();
    await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 10_000 });
  });

  it('turns the event loop before a time at a low rate, and only while the wait is shorter than its lead', async () => {
    // Two times in a minute: one signal of the thread within the test, 300 µs ahead.
    const pacer = await createPacer(Float64Array.of(1000, 60e6), worker.path);
    const waitsUs = [200, 300, 25, 301, 200];
    const calls: number[] = [];
    pacer.start(hostClock.nowUs(), () => {
      const waitUs = waitsUs[calls.length] as number;
      calls.push(waitUs);
      return waitUs;
    });
    await vi.waitFor(() => expect(calls).toEqual([200, 300, 25, 301]));
    pacer.stop();
  });

  it('spins with pauses: each turn of the event loop leaves garbage', async () => {
    const due = Float64Array.from({ length: 5000 }, (_, request) => (request + 1) * 10_000);
    const turnUs = await medianTurnUs();
    const pacer = await createPacer(due, worker.path);
    const startAtUs = hostClock.nowUs();
    const gaps: number[] = [];
    let [next, lastUs, waitUs] = [0, 0, Number.POSITIVE_INFINITY];
    pacer.start(startAtUs, () => {
      const nowUs = hostClock.nowUs() - startAtUs;
      if (waitUs > 50 && waitUs < 300) gaps.push(nowUs - lastUs);
      while (next < due.length && (due[next] as number) <= nowUs) next++;
      lastUs = nowUs;
      waitUs = next < due.length ? (due[next] as number) - nowUs : Number.POSITIVE_INFINITY;
      return waitUs;
    });
    // Next to other load, few turns are that close to a request.
    await vi.waitFor(() => expect(gaps.length).toBeGreaterThan(10), { timeout: 60_000 });
    pacer.stop();
    expect(median(gaps)).toBeGreaterThan(2.5 * turnUs);
  });
});

/** Duration of a turn of the event loop that reads the clock and does nothing else. */
async function medianTurnUs(): Promise<number> {
  const at: number[] = [];
  await new Promise<void>((resolve) => {
    const turn = (): void => {
      at.push(hostClock.nowUs());
      if (at.length > 2000) resolve();
      else setImmediate(turn);
    };
    turn();
  });
  const turns = at.slice(1).map((time, index) => time - (at[index] as number));
  return median(turns);
}
