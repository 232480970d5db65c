import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { GarbageCollections } from '../../src/control/garbage-collections.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void;

describe('garbage collections', () => {
  const garbage = new GarbageCollections();
  afterEach(() => garbage.close());

  it('are counted by generation, with their pauses', async () => {
    expect(garbage.pauses).toBeUndefined();
    garbage.reset();
    const startMs = performance.now();
    for (let i = 0; i < 3; i++) collect();
    for (let i = 0; i < 5; i++) collect({ type: 'minor' });
    const tookUs = (performance.now() - startMs) * 1e3;
    await expect.poll(() => garbage.pauses?.major.count).toBeGreaterThanOrEqual(3);
    await expect.poll(() => garbage.pauses?.minor.count).toBeGreaterThanOrEqual(5);
    for (const { count, pauseUs, maxPauseUs } of Object.values(garbage.pauses ?? {})) {
      expect(maxPauseUs).toBeGreaterThan(0);
      expect(pauseUs).toBeGreaterThanOrEqual(maxPauseUs);
      expect(pauseUs).toBeLessThanOrEqual(count * maxPauseUs);
    }
    // Full collections of this heap take ms: as long as they took by the clock of the caller, in the same unit.
    expect(garbage.pauses?.major.pauseUs).toBeGreaterThan(tookUs / 10);
  });

  it('before a reset do not count, even if Node.js reports them later', async () => {
    garbage.reset();
    for (let i = 0; i < 3; i++) collect();
    garbage.reset();
    await sleep(50);
    expect(garbage.pauses?.major).toEqual({ count: 0, pauseUs: 0, maxPauseUs: 0 });
    collect();
    await expect.poll(() => garbage.pauses?.major.count).toBe(1);
  });
});
