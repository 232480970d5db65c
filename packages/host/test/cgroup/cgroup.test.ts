import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCgroup } from '../../src/cgroup/find-cgroup.ts';

const tree = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('a control group of version 2', () => {
  const group = findCgroup(42, tree('version-2'));

  it('is found by process, with its usage', () => {
    expect(group?.path).toBe('/system.slice/docker-4f1c.scope');
    expect(group?.usage()).toEqual({
      cpuUs: 81_234_567,
      memoryBytes: 268_435_456,
      workingSetBytes: 268_435_456 - 100_000_000,
      throttling: { periods: 900, throttledPeriods: 37, throttledUs: 1_234_000 },
    });
  });

  it('has its limits', () => {
    expect(group?.limits()).toEqual({ cpus: 1.5, memoryBytes: 536_870_912 });
    expect(findCgroup(7, tree('version-2'))?.limits()).toEqual({});
  });

  it('omits figures of controllers that are off, instead of 0', () => {
    expect(findCgroup(7, tree('version-2'))?.usage()).toEqual({ cpuUs: 5000 });
  });
});

describe('a control group of version 1', () => {
  const group = findCgroup(42, tree('version-1'));

  it('is found in the hierarchy of each controller, with its usage', () => {
    expect(group?.path).toBe('/docker/4f1c');
    expect(group?.usage()).toEqual({
      cpuUs: 81_234_567.89,
      memoryBytes: 268_435_456,
      workingSetBytes: 268_435_456 - 100_000_000,
      throttling: { periods: 900, throttledPeriods: 37, throttledUs: 1_234_000 },
    });
  });

  it('has its limits', () => {
    expect(group?.limits()).toEqual({ cpus: 0.5, memoryBytes: 536_870_912 });
  });

  it('has no limits when the kernel writes its highest numbers', () => {
    expect(findCgroup(7, tree('version-1'))?.limits()).toEqual({});
  });
});

describe('from inside a container', () => {
  it('the group is at the mount point, although its path is that on the host', () => {
    const group = findCgroup('self', tree('container-version-1'));
    expect(group?.path).toBe('/docker/4f1c');
    expect(group?.usage()).toMatchObject({ memoryBytes: 1_000_000 });
  });
});

it('is unknown for a process that has ended', () => {
  expect(findCgroup(2 ** 30)).toBeUndefined();
  expect(findCgroup(43, tree('version-2'))).toBeUndefined();
});

it.skipIf(!existsSync('/proc/self/cgroup'))(
  'is found on this host, with memory that this process does not exceed',
  () => {
    const group = findCgroup('self');
    expect(readFileSync('/proc/self/cgroup', 'utf8')).toContain(group?.path);
    const { memoryBytes, workingSetBytes = 0 } = group?.usage() ?? {};
    if (memoryBytes === undefined) return;
    expect(memoryBytes).toBeGreaterThan(1e6);
    expect(workingSetBytes).toBeLessThanOrEqual(memoryBytes);
  },
);
