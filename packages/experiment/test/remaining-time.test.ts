import { describe, expect, it } from 'vitest';
import { RemainingTime } from '../src/remaining-time.ts';

describe('remaining time', () => {
  it('is the estimate before the first repetition ends', () => {
    expect(new RemainingTime(100).seconds).toBe(100);
  });

  it('is corrected by the time of finished repetitions', () => {
    const remaining = new RemainingTime(100);
    remaining.finished(20, 40);
    expect(remaining.seconds).toBe(160);
    remaining.finished(80, 160);
    expect(remaining.seconds).toBe(0);
  });

  it('grows by the time of remeasurements', () => {
    const remaining = new RemainingTime(20);
    remaining.finished(20, 40);
    remaining.added(10);
    expect(remaining.seconds).toBe(20);
  });
});
