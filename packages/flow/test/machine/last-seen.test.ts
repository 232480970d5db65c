import { describe, expect, it } from 'vitest';
import { LastSeenRing } from '../../src/index.ts';

describe('the ring of requests last seen', () => {
  it('keeps the latest and forgets the oldest', () => {
    const ring = new LastSeenRing();
    for (let i = 0; i < 100_000; i++) ring.acknowledged({ id: `r${i}`, done: 3 }, 'peer');
    expect(ring.find('r0')).toBeUndefined();
    expect(ring.find('r99999')).toEqual({ id: 'r99999', step: 3, acknowledgedBy: 'peer' });
    expect(ring.find('r85000')).toBeDefined();
    ring.touch({ id: 'r99999', done: 4 });
    expect(ring.find('r99999')).toEqual({ id: 'r99999', step: 4, acknowledgedBy: undefined });
  });
});
