/** Waits for an instant of the host's clock, more precisely than timers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostClock } from './host-clock.ts';

/**
 * Resolves at an instant of the host's clock, never before it; at once when it has passed. A timer alone would fire up
 * to 1 ms early: it counts whole milliseconds.
 */
export async function sleepUntil(atUs: number): Promise<void> {
  for (let leftUs = atUs - hostClock.nowUs(); leftUs > 0; leftUs = atUs - hostClock.nowUs()) {
    await sleep(Math.ceil(leftUs / 1e3));
  }
}
