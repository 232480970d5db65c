/**
 * Node.js's timers count whole milliseconds of the system's clock: in an event loop that turns for other reasons, a
 * timer set late in a millisecond fires early by almost one.
 */
import { onTestFinished } from 'vitest';
import { hostClock } from '../../src/clock/host-clock.ts';

/**
 * @param phaseUs µs since the last whole millisecond of the host's clock
 * @returns now, when that has come
 */
export function lateInMillisecond(phaseUs = 850): number {
  let nowUs = hostClock.nowUs();
  while (nowUs % 1000 < phaseUs || nowUs % 1000 > phaseUs + 50) nowUs = hostClock.nowUs();
  return nowUs;
}

/** Keeps the event loop turning until the test ends. */
export function keepTurning(): void {
  let turning = true;
  const turn = (): void => {
    if (turning) setImmediate(turn);
  };
  turn();
  onTestFinished(() => {
    turning = false;
  });
}
