import type { RoleUsage } from '@topo-bench/runners';
import { describe, expect, it } from 'vitest';
import { usageByKind } from '../src/read-usage.ts';

const usageOf = (...roles: RoleUsage[]) => usageByKind({ usage: async () => roles });

describe('the usage of a deployment', () => {
  const role = (name: string, kind: RoleUsage['kind'], cpuUs: number, systemUs?: number): RoleUsage => {
    const process = { cpuUs, rssBytes: 1, ...(systemUs !== undefined && { systemUs }) };
    return { name, kind, userService: false, process };
  };

  it('is summed by kind, with each role apart', async () => {
    const [a, b] = [role('a', 'service', 900, 240), role('b', 'service', 15, 20)];
    const { service, gateway } = await usageOf(a, b, role('gateway', 'gateway', 3, 1));
    expect(service).toMatchObject({ processes: 2, cpuUs: 915, systemUs: 260 });
    expect(service?.roles).toEqual({ a: a.process, b: b.process });
    expect(gateway).toMatchObject({ processes: 1, cpuUs: 3, systemUs: 1 });
  });

  it('is missing for a kind with an unreadable role', async () => {
    const unreadable: RoleUsage = { name: 'b', kind: 'service', userService: false };
    expect(Object.keys(await usageOf(role('a', 'service', 1), unreadable, role('g', 'gateway', 1)))).toEqual([
      'gateway',
    ]);
  });

  it('has the throttling of all roles of a kind', async () => {
    const throttling = (periods: number, throttledPeriods: number, throttledUs: number) => ({
      throttling: { periods, throttledPeriods, throttledUs },
    });
    const usages = await usageOf(
      { ...role('a', 'service', 1), ...throttling(5, 1, 10) },
      { ...role('b', 'service', 1), ...throttling(6, 2, 20) },
      {
        ...role('c', 'service', 1),
        userService: true,
        started: { processes: 3, cpuUs: 5, rssBytes: 1 },
        ...throttling(7, 3, 30),
      },
      role('gateway', 'gateway', 1),
    );
    expect(usages.service).toMatchObject(throttling(18, 6, 60));
    expect(usages.gateway).not.toHaveProperty('throttling');
    expect(usages.carrier).not.toHaveProperty('throttling');
  });
});
