import { describe, expect, it } from 'vitest';
import { readOwnPssBytes, readPssBytes } from '../../src/process/process-memory.ts';
import { processStartTime } from '../../src/process/process-start.ts';
import { parseProcessStat, readAllProcessStats, readProcessStat } from '../../src/process/process-stat.ts';

const linux = process.platform === 'linux';
const nobody = 2 ** 30;

describe('a line of /proc/<pid>/stat', () => {
  it('is read past a program name with spaces and parentheses', () => {
    const line =
      '4211 (a) b (c) S 17 18 19 0 -1 4194560 1 2 3 4 250 50 30 20 20 0 11 0 987654 1000000 1234 18446744073709551615 1 1 0';
    expect(parseProcessStat(line)).toMatchObject({
      pid: 4211,
      state: 'S',
      parent: 17,
      group: 18,
      session: 19,
      startTicks: '987654',
    });
    const { cpuUs, childrenCpuUs, rssBytes } = parseProcessStat(line);
    expect(cpuUs / childrenCpuUs).toBeCloseTo(300 / 50);
    expect(rssBytes % 1234).toBe(0);
  });

  it.runIf(linux)('agrees with the figures of the process itself', () => {
    const end = performance.now() + 100;
    while (performance.now() < end);
    const { user, system } = process.cpuUsage();
    const stat = readProcessStat(process.pid);
    expect(stat).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(Math.abs((stat?.cpuUs ?? 0) - user - system)).toBeLessThan(50_000);
    expect((stat?.rssBytes ?? 0) / process.memoryUsage.rss()).toBeGreaterThan(0.9);
    expect((stat?.rssBytes ?? 0) / process.memoryUsage.rss()).toBeLessThan(1.1);
    expect(readPssBytes(process.pid)).toBeLessThanOrEqual(1.1 * (stat?.rssBytes as number));
    expect(readPssBytes(process.pid)).toBeGreaterThan(0);
    expect((readOwnPssBytes() ?? 0) / (readPssBytes(process.pid) ?? Number.NaN)).toBeCloseTo(1, 0);
  });

  it('is unknown, not 0, for a process that has ended', async () => {
    expect(readProcessStat(nobody)).toBeUndefined();
    expect(readPssBytes(nobody)).toBeUndefined();
    expect(await processStartTime(nobody)).toBeUndefined();
  });

  it.runIf(linux)('is found for every process of the host', () => {
    const pids = readAllProcessStats().map(({ pid }) => pid);
    expect(pids).toContain(process.pid);
    expect(pids).toContain(process.ppid);
  });
});
