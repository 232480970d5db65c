import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOfKey, KeyedSums, partitionOfKey } from '../src/keyed-sums.ts';

const event = fc.record({
  key: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.maxSafeNat()),
  value: fc.integer({ min: 1, max: 9 }),
  timeMs: fc.integer({ min: 0, max: 1000 }),
  createdUs: fc.integer({ min: 0, max: 1000 }),
});

const rowsOf = (sums: KeyedSums) =>
  Array.from({ length: sums.count }, (_, i) => [sums.keys[i], sums.sums[i], sums.timesMs[i], sums.createdUs[i]]);

describe('sums by key', () => {
  it('equal those of a map, also after they were cleared', () => {
    const sums = new KeyedSums();
    fc.assert(
      fc.property(fc.array(event, { maxLength: 600 }), (events) => {
        const expected = new Map<number, number[]>();
        sums.clear();
        for (const { key, value, timeMs, createdUs } of events) {
          sums.add(key, value, timeMs, createdUs);
          const [, sum = 0, latestMs = 0, earliestUs = createdUs] = expected.get(key) ?? [];
          expected.set(key, [key, sum + value, Math.max(latestMs, timeMs), Math.min(earliestUs, createdUs)]);
        }
        expect(rowsOf(sums)).toEqual([...expected.values()]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('partitions of keys', () => {
  it.each([2, 3, 16, 64])('have even shares, and each uses all slots of its hash table: %i', (partitions) => {
    const slots = Array.from({ length: partitions }, () => new Map<number, number>());
    const keysEach = 64 * 64;
    for (let key = 2 ** 40; key < 2 ** 40 + partitions * keysEach; key++) {
      const used = slots[partitionOfKey(key, partitions)]!;
      const slot = hashOfKey(key) & 63;
      used.set(slot, (used.get(slot) ?? 0) + 1);
    }
    for (const used of slots) {
      expect(used.size).toBe(64);
      expect(Math.max(...used.values())).toBeLessThan(2 * 64);
    }
  });
});
