import type { GroupUsage } from '@topo-bench/host';
import { cpuPerRequest } from '@topo-bench/results';
import type { RoleUsage } from '@topo-bench/runners';
import { describe, expect, it } from 'vitest';
import { processUse, type Reading } from '../src/process-use.ts';
import { usageByKind } from '../src/process-watch.ts';
import { hostFigures } from '../src/role-usage.ts';

const usage = (cpuUs: number, others: Partial<GroupUsage> = {}): GroupUsage => ({
  processes: 3,
  cpuUs,
  rssBytes: 40e6,
  ...others,
});
const reading = (atMs: number, service: GroupUsage): Reading => ({ atMs, usages: { service } });

/** Processes that use 2 µs per ms when idle, over an idle second and a load of ten. */
const idle = [reading(0, usage(5000)), reading(1000, usage(7000))] as const;

describe('the CPU time of a load', () => {
  it('covers first request to last answer, with idle time separately', () => {
    const { service } = processUse([reading(2000, usage(9000)), reading(12_000, usage(69_000))], idle);
    expect(service).toEqual({
      processes: 3,
      windowUs: 10e6,
      cpuUs: 60_000,
      idleCpuUs: 20_000,
      idleCpuPercent: 0.2,
      rssBytes: 40e6,
    });
  });

  it('per request is the same at every rate and with any number of idle processes', () => {
    const perRequestUs = 700;
    const at = (requests: number): Record<string, number> => {
      const load = [reading(0, usage(0)), reading(10_000, usage(20_000 + requests * perRequestUs))] as const;
      return cpuPerRequest(processUse(load, idle), requests);
    };
    expect(at(10).service).toBeCloseTo(perRequestUs);
    expect(at(600).service).toBeCloseTo(perRequestUs);
    expect(at(10).total).toBeCloseTo(perRequestUs);
  });

  it('is never below 0, and nothing without requests', () => {
    const load = [reading(0, usage(0)), reading(10_000, usage(100))] as const;
    expect(cpuPerRequest(processUse(load, idle), 5)).toEqual({ service: 0, total: 0 });
    expect(cpuPerRequest(processUse(load, idle), 0)).toEqual({});
    expect(cpuPerRequest({}, 5)).toEqual({});
  });

  it('is not corrected without an idle window', () => {
    const { service } = processUse([reading(0, usage(0)), reading(1000, usage(3000))]);
    expect(service).not.toHaveProperty('idleCpuUs');
    expect(cpuPerRequest({ service: service as NonNullable<typeof service> }, 3)).toEqual({
      service: 1000,
      total: 1000,
    });
  });

  it('is unknown for a group that is missing before or after', () => {
    const other: Reading = { atMs: 5, usages: { store: usage(1) } };
    expect(processUse([reading(0, usage(1)), other], idle)).toEqual({});
  });

  it('is reported by thread, and never below 0 after threads have ended', () => {
    const before = usage(0, {
      mainThread: { cpuUs: 10, waitUs: 1, slices: 4 },
      otherThreads: { cpuUs: 50, waitUs: 9, slices: 90 },
    });
    const after = usage(80, {
      mainThread: { cpuUs: 70, waitUs: 3, slices: 9 },
      otherThreads: { cpuUs: 70, waitUs: 2, slices: 40 },
    });
    expect(processUse([reading(0, before), reading(1000, after)]).service).toMatchObject({
      mainThread: { cpuUs: 60, waitUs: 2, slices: 5 },
      otherThreads: { cpuUs: 20, waitUs: 0, slices: 0 },
    });
  });
});

describe('the CPU time of each role', () => {
  const role = (name: string, kind: RoleUsage['kind'], cpuUs: number, systemUs?: number): RoleUsage => {
    const process = { cpuUs, rssBytes: 1, ...(systemUs !== undefined && { systemUs }) };
    return { name, kind, userService: false, process };
  };
  const at = async (atMs: number, roles: readonly RoleUsage[]): Promise<Reading> => {
    return { atMs, usages: await usageByKind({ usage: async () => [...roles] }) };
  };

  it('is apart within its kind, with its part in the kernel', async () => {
    const before = [role('a', 'service', 100, 40), role('b', 'service', 10, 10), role('gateway', 'gateway', 1, 1)];
    const after = [role('a', 'service', 900, 240), role('b', 'service', 15, 20), role('gateway', 'gateway', 3, 1)];
    const { service, gateway } = processUse([await at(0, before), await at(1000, after)]);
    expect(service).toMatchObject({ cpuUs: 805, systemUs: 210 });
    // System time of `b` is counted in coarser steps than its sum.
    expect(service?.roles).toEqual({ a: { cpuUs: 800, systemUs: 200 }, b: { cpuUs: 5, systemUs: 5 } });
    expect(gateway?.roles).toEqual({ gateway: { cpuUs: 2, systemUs: 0 } });
  });

  it('is unknown, not 0, where only the sum is known', async () => {
    const { service } = processUse([await at(0, [role('a', 'service', 1)]), await at(9, [role('a', 'service', 3, 1)])]);
    expect(service).not.toHaveProperty('systemUs');
    expect(service?.roles).toEqual({ a: { cpuUs: 2 } });
  });
});

describe('limits on CPU time', () => {
  const throttling = (periods: number, throttledPeriods: number, throttledUs: number) => ({
    throttling: { periods, throttledPeriods, throttledUs },
  });

  it('are counted between first request and last answer', () => {
    const load = [
      { atMs: 0, usages: { service: { ...usage(0), ...throttling(10, 7, 900) }, gateway: usage(0) } },
      { atMs: 10_000, usages: { service: { ...usage(9000), ...throttling(110, 12, 4900) }, gateway: usage(1) } },
    ] as const;
    const { service, gateway } = processUse(load, idle);
    expect(service).toMatchObject(throttling(100, 5, 4000));
    expect(gateway).not.toHaveProperty('throttling');
    expect(hostFigures(service)).toMatchObject({ quotaPeriods: 100, throttledPeriods: 5, throttledUs: 4000 });
    expect(hostFigures(gateway)).not.toHaveProperty('throttledPeriods');
  });

  it('are summed over the roles of a kind', async () => {
    const roleOf = (name: string, kind: RoleUsage['kind'], others: Partial<RoleUsage>): RoleUsage => {
      return { name, kind, userService: false, process: usage(1), ...others };
    };
    const usages = await usageByKind({
      usage: async () => [
        roleOf('a', 'service', throttling(5, 1, 10)),
        roleOf('b', 'service', throttling(6, 2, 20)),
        roleOf('c', 'service', { userService: true, started: usage(5), ...throttling(7, 3, 30) }),
        roleOf('gateway', 'gateway', {}),
      ],
    });
    expect(usages.service).toMatchObject(throttling(18, 6, 60));
    expect(usages.gateway).not.toHaveProperty('throttling');
    expect(usages.carrier).not.toHaveProperty('throttling');
  });
});
