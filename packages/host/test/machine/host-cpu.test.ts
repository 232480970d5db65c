import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostResources, hostUse, readHostCpu } from '../../src/machine/host-cpu.ts';
import { kernelUnits } from '../../src/process/kernel-units.ts';

describe('idle time of the host', () => {
  it('is the idle share of the time between two readings', () => {
    expect(hostUse({ idle: 100, total: 1000 }, { idle: 130, total: 1100 })).toEqual({ idlePercent: 30 });
    expect(hostUse({ idle: 100, total: 1000 }, { idle: 100, total: 1100 })).toEqual({ idlePercent: 0 });
  });

  it('is unknown, not 0, without two different readings', () => {
    expect(hostUse(undefined, { idle: 1, total: 2 })).toBeUndefined();
    expect(hostUse({ idle: 1, total: 2 }, undefined)).toBeUndefined();
    expect(hostUse({ idle: 1, total: 2 }, { idle: 1, total: 2 })).toBeUndefined();
    expect(hostResources(undefined)).toEqual({});
  });

  it('falls when a core is kept busy', () => {
    const before = readHostCpu();
    const end = performance.now() + 300;
    while (performance.now() < end);
    const idle = hostUse(before, readHostCpu())?.idlePercent;
    expect(idle).toBeGreaterThanOrEqual(0);
    expect(idle).toBeLessThan(100);
  });
});

describe('stolen time of the host', () => {
  it('is neither idle nor used', () => {
    const use = hostUse({ idle: 100, total: 1000, stolen: 5 }, { idle: 130, total: 1100, stolen: 15 });
    expect(use).toEqual({ idlePercent: 30, stolenPercent: 10 });
    expect(hostResources(use)).toEqual({ host: { idlePercent: 30, stolenPercent: 10, cpuPercent: 60 } });
  });

  it.runIf(process.platform === 'linux')('is the eighth figure of /proc/stat', () => {
    const before = Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[8]);
    const { stolen: stolenUs } = readHostCpu() ?? {};
    const stolen = ((stolenUs as number) * kernelUnits().ticksPerSecond) / 1e6;
    const after = Number(readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/)[8]);
    expect(stolen).toBeGreaterThanOrEqual(before);
    expect(stolen).toBeLessThanOrEqual(after);
  });
});

describe('foreign time of the host', () => {
  const before = { idle: 0, total: 0, stolen: 0, programs: 0 };
  const after = { idle: 100, total: 1000, stolen: 0, programs: 800 };

  it('is the time of programs less that of our own processes', () => {
    expect(hostUse(before, after, 200)).toEqual({ idlePercent: 10, stolenPercent: 0, foreignPercent: 60 });
    expect(hostUse(before, after, 900)?.foreignPercent).toBe(0);
  });

  it('is unknown when the caller does not distinguish them', () => {
    expect(hostUse(before, after)).not.toHaveProperty('foreignPercent');
    expect(hostUse({ idle: 0, total: 0 }, { idle: 100, total: 1000 }, 200)).toEqual({ idlePercent: 10 });
  });
});
