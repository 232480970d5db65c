/**
 * One monotonic clock for all processes of a host, so that generator processes can start at the same instant and a server's
 * timestamps can be compared with a client's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@topo-bench/core';

const tries = 8;

/**
 * µs on the host's monotonic clock (CLOCK_MONOTONIC on Linux, its like elsewhere), the same number in every process and thread.
 * `performance.now()` counts from the thread's own origin on that clock; adding the origin costs less per call than
 * `process.hrtime`, which allocates.
 */
export const sharedClock: Clock = { nowUs: () => performance.now() * 1e3 + originUs };

const originUs = measureOriginUs();

function measureOriginUs(): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < tries; i++) {
    const [seconds, nanoseconds] = process.hrtime();
    // Any pause between the two readings makes the difference smaller: the largest is the nearest.
    best = Math.max(best, seconds * 1e6 + nanoseconds / 1e3 - performance.now() * 1e3);
  }
  return best;
}

/**
 * Waits for an instant on the shared clock, and never ends before it; at once when it has passed. A timer alone would end up to 1 ms before: it
 * counts in whole ms of the system's clock.
 */
export async function clockReaches(atUs: number): Promise<void> {
  for (let leftUs = atUs - sharedClock.nowUs(); leftUs > 0; leftUs = atUs - sharedClock.nowUs())
    await sleep(Math.ceil(leftUs / 1e3));
}
