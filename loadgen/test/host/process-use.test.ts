import { describe, expect, it } from 'vitest';
import { readProcessUse } from '../../src/host/process-use.ts';
import { hasProc } from '../fixture/processes.ts';

describe('use of a process', () => {
  it.skipIf(!hasProc)('agrees with what the process says of itself', () => {
    const end = performance.now() + 100;
    while (performance.now() < end);
    const { user, system } = process.cpuUsage();
    const use = readProcessUse(process.pid);
    expect(Math.abs((use?.cpuUs ?? 0) - user - system)).toBeLessThan(50_000);
    expect(use?.rssBytes).toBeGreaterThan(0.5 * process.memoryUsage.rss());
    expect(use?.rssBytes).toBeLessThan(2 * process.memoryUsage.rss());
    expect(use?.pssBytes).toBeLessThanOrEqual(1.1 * (use?.rssBytes as number));
    expect(use?.pssBytes).toBeGreaterThan(0);
  });

  it('is not known, rather than 0, for a process that is gone', () => {
    expect(readProcessUse(2 ** 30)).toBeUndefined();
  });
});
