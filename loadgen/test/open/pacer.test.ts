import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostClock } from '@topo-bench/host';
import { describe, expect, it, vi } from 'vitest';
import { hasProc } from '../../../packages/host/test/processes.ts';
import { createPacer } from '../../src/open/pacer.ts';
import { builtWorker } from '../fixture/built-worker.ts';

const worker = builtWorker();

describe('the pacer', () => {
  it.skipIf(!hasProc)('keeps its thread until it is stopped: ending it would delay the last responses', async () => {
    const pacer = await createPacer(Float64Array.of(0, 20_000), worker.path);
    const isAlive = (): boolean => existsSync(`/proc/self/task/${pacer.thread}`);
    let calls = 0;
    pacer.start(hostClock.nowUs(), () => {
      calls++;
      return Number.POSITIVE_INFINITY;
    });
    await vi.waitFor(() => expect(calls).toBe(2), { timeout: 10_000 });
    await sleep(200);
    expect(isAlive()).toBe(true);
    pacer.stop();
    await vi.waitFor(() => expect(isAlive()).toBe(false), { timeout: 10_000 });
  });
});
