import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { keepCoresAwake } from '../../src/machine/keep-awake.ts';
import { latencyFilesHeld } from '../fixtures/processes.ts';

const latencyFile = '/dev/cpu_dma_latency';
const idleStates = '/sys/devices/system/cpu/cpu0/cpuidle';

/** The limit in force by the system's own account, in µs: the least that any process asks for. */
async function latencyInForce(): Promise<number> {
  const file = await open(latencyFile, 'r');
  try {
    const { buffer } = await file.read(new Int32Array(1));
    return buffer[0] as number;
  } finally {
    await file.close();
  }
}

/** How often the first core went to sleep since the system began; state 0 is waiting awake. */
function timesAsleep(): number {
  return readdirSync(idleStates)
    .filter((state) => state !== 'state0')
    .reduce((sum, state) => sum + Number(readFileSync(`${idleStates}/${state}/usage`, 'utf8')), 0);
}

describe('cores', () => {
  it('are kept awake until the last holder ends, or the refusal is reported', async () => {
    const [first, second] = [await keepCoresAwake(), await keepCoresAwake()];
    expect(second === undefined).toBe(first === undefined);
    if (!first || !second) return expect(latencyFilesHeld()).toBe(0);
    expect(latencyFilesHeld()).toBe(2);
    await first.end();
    expect(latencyFilesHeld()).toBe(1);
    expect(await latencyInForce()).toBe(0);
    await second.end();
    expect(latencyFilesHeld()).toBe(0);
  });

  it('do not sleep in the meantime', async () => {
    const awake = await keepCoresAwake();
    if (!existsSync(idleStates)) return expect(awake).toBeUndefined();
    if (!awake) return expect(latencyFilesHeld()).toBe(0);
    const before = timesAsleep();
    await sleep(300);
    const asleep = timesAsleep() - before;
    await awake.end();
    // A quiet core goes to sleep after every tick and every wake-up: over 20 times in this time.
    expect(asleep).toBeLessThan(3);
  });
});
