import type { GroupUsage } from '@topo-bench/host';
import { cpuPerRequest } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { type LimitedUsage, processUse, type Reading } from '../../src/window/process-use.ts';

const usage = (cpuUs: number, others: Partial<GroupUsage> = {}): GroupUsage => ({
  processes: 3,
  cpuUs,
  rssBytes: 40e6,
  ...others,
});
const reading = (atMs: number, service: LimitedUsage): Reading => ({ atMs, usages: { service } });

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
  type Times = [cpuUs: number, systemUs?: number];
  const one = ([cpuUs, systemUs]: Times) => ({ cpuUs, rssBytes: 1, ...(systemUs !== undefined && { systemUs }) });
  const roles = (ofA: Times, ofB: Times): LimitedUsage => {
    return { ...usage(0), roles: { a: one(ofA), b: one(ofB) } };
  };

  it('is apart within its group, with its part in the kernel', () => {
    const load = [reading(0, roles([100, 40], [10, 10])), reading(1000, roles([900, 240], [15, 20]))] as const;
    // System time of `b` is counted in coarser steps than its sum.
    expect(processUse(load).service?.roles).toEqual({
      a: { cpuUs: 800, systemUs: 200 },
      b: { cpuUs: 5, systemUs: 5 },
    });
  });

  it('is unknown, not 0, where only the sum is known', () => {
    const { service } = processUse([reading(0, roles([1], [1])), reading(9, roles([3, 1], [2]))]);
    expect(service).not.toHaveProperty('systemUs');
    expect(service?.roles).toEqual({ a: { cpuUs: 2 }, b: { cpuUs: 1 } });
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
  });
});
