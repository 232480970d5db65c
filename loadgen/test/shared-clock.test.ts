import { expect, it } from 'vitest';
import { clockReaches, sharedClock } from '../src/shared-clock.ts';
import { keepTurning, lateInMillisecond } from './fixture/late-in-millisecond.ts';

it('is waited for to the last µs, where a timer would fire up to 1 ms too early', async () => {
  keepTurning();
  for (let i = 0; i < 5; i++) {
    const atUs = lateInMillisecond() + 20_000;
    await clockReaches(atUs);
    expect(sharedClock.nowUs()).toBeGreaterThanOrEqual(atUs);
  }
});

it('is not waited for when the instant has passed', async () => {
  const beforeUs = sharedClock.nowUs();
  await clockReaches(beforeUs);
  await clockReaches(Number.NEGATIVE_INFINITY);
  expect(sharedClock.nowUs() - beforeUs).toBeLessThan(50_000);
});
