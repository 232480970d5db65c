import { expect, it } from 'vitest';
import { hostClock, sleepUntil } from '../../src/clock/host-clock.ts';
import { keepTurning, lateInMillisecond } from '../fixtures/late-in-millisecond.ts';

it('waits to the last µs, where a timer would fire up to 1 ms too early', async () => {
  keepTurning();
  for (let i = 0; i < 5; i++) {
    const atUs = lateInMillisecond() + 20_000;
    await sleepUntil(atUs);
    expect(hostClock.nowUs()).toBeGreaterThanOrEqual(atUs);
  }
});

it('does not wait for an instant that has passed', async () => {
  const beforeUs = hostClock.nowUs();
  await sleepUntil(beforeUs);
  await sleepUntil(Number.NEGATIVE_INFINITY);
  expect(hostClock.nowUs() - beforeUs).toBeLessThan(50_000);
});
