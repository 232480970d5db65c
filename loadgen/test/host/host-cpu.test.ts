import { describe, expect, it } from 'vitest';
import { idlePercent, readHostCpu } from '../../src/host/host-cpu.ts';

describe('idle time of the host', () => {
  it('is the idle share of what passed between two readings', () => {
    expect(idlePercent({ idle: 100, total: 1000 }, { idle: 130, total: 1100 })).toBe(30);
    expect(idlePercent({ idle: 100, total: 1000 }, { idle: 100, total: 1100 })).toBe(0);
  });

  it('is not known, rather than 0, without two different readings', () => {
    expect(idlePercent(undefined, { idle: 1, total: 2 })).toBeUndefined();
    expect(idlePercent({ idle: 1, total: 2 }, undefined)).toBeUndefined();
    expect(idlePercent({ idle: 1, total: 2 }, { idle: 1, total: 2 })).toBeUndefined();
  });

  it('falls when a core is kept busy', () => {
    const before = readHostCpu();
    const end = performance.now() + 300;
    while (performance.now() < end);
    const idle = idlePercent(before, readHostCpu());
    expect(idle).toBeGreaterThanOrEqual(0);
    expect(idle).toBeLessThan(100);
  });
});
