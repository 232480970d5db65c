import { describe, expect, it } from 'vitest';
import { RemainingTime } from '../src/remaining-time.ts';

describe('remaining time', () => {
  it('is the guess before anything is finished', () => {
    expect(new RemainingTime(100).seconds).toBe(100);
  });

  it('is corrected by what finished repetitions took', () => {
    const remaining = new RemainingTime(100);
    remaining.finished(20, 40);
    expect(remaining.seconds).toBe(160);
    remaining.finished(80, 160);
    expect(remaining.seconds).toBe(0);
  });

  it('grows by what has to be done again, as long as it will take', () => {
    const remaining = new RemainingTime(20);
    remaining.finished(20, 40);
    remaining.added(10);
    expect(remaining.seconds).toBe(20);
  });
});
