import type { RoleStats } from '@topo-bench/core';
import { cpuPerRequest } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { hostFigures, roleCpu, roleResources } from '../src/role-usage.ts';

function role(kind: string, index: number, values: Partial<RoleStats> = {}): RoleStats {
  return {
    name: `${kind}-${index}`,
    kind,
    served: 100,
    servedBefore: 2000,
    cpuUs: 1000,
    rssBytes: 40e6,
    eventLoopUtilization: 0.2,
    inFlight: 0,
    connections: 2,
    queued: 0,
    queuedMax: 1,
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 },
    ...values,
  };
}

const stats = [
  role('gateway', 1, { cpuUs: 500 }),
  role('service', 2),
  role('service', 3, { eventLoopUtilization: 0.9, queuedMax: 7 }),
];

describe('CPU per request', () => {
  it('is by kind of role with a total', () => {
    expect(cpuPerRequest(roleCpu(stats, {}), 10)).toEqual({ gateway: 50, service: 200, total: 250 });
  });

  it('is the usage in the window of the load, as the host counts it, minus the idle usage', () => {
    const use = {
      gateway: { processes: 1, windowUs: 1e6, cpuUs: 400, idleCpuUs: 100, rssBytes: 1 },
      service: { processes: 2, windowUs: 1e6, cpuUs: 2000, idleCpuUs: 500, idleCpuPercent: 0.05, rssBytes: 1 },
    };
    expect(cpuPerRequest(roleCpu(stats, use), 10)).toEqual({ gateway: 30, service: 150, total: 180 });
    expect(roleResources(stats, 10_000, use, new Map()).service).toMatchObject({
      cpuPercent: 0.2,
      idleCpuPercent: 0.05,
    });
  });
});

describe('resources of a role', () => {
  it('have the effect of a limit on CPU time, where there is one', () => {
    const throttling = { periods: 100, throttledPeriods: 5, throttledUs: 4000 };
    const use = { processes: 1, windowUs: 1e6, cpuUs: 400, rssBytes: 1 };
    const figures = hostFigures({ ...use, throttling });
    expect(figures).toMatchObject({ quotaPeriods: 100, throttledPeriods: 5, throttledUs: 4000 });
    expect(hostFigures(use)).not.toHaveProperty('throttledPeriods');
  });

  it('sum CPU, memory and connections and keep the busiest process', () => {
    const sizes = new Map([
      ['gateway-1', 10e6],
      ['service-2', 20e6],
      ['service-3', 30e6],
    ]);
    expect(roleResources(stats, 10_000, {}, sizes).service).toEqual({
      processes: 2,
      cpuPercent: 20,
      rssBytes: 80e6,
      pssBytes: 50e6,
      eventLoopUtilization: 0.9,
      connections: 4,
      queuedMax: 7,
    });
  });

  it('are those of the host where a role does not measure its user-supplied service', () => {
    const unmeasured = { cpuUs: 0, rssBytes: 0, carrierCpuUs: 50, unmeasured: true } as const;
    const uses = { service: { processes: 2, windowUs: 1e6, cpuUs: 30_000, rssBytes: 90e6 } };
    const alone = roleResources([role('service', 1, unmeasured)], 1e6, uses, new Map());
    expect(alone.service).toEqual({ processes: 2, rssBytes: 90e6, cpuPercent: 3 });
    const mixed = roleResources(
      [role('service', 1, unmeasured), role('service', 2)],
      1e6,
      uses,
      new Map([['service-2', 5]]),
    );
    expect(mixed.service).toMatchObject({ processes: 2, rssBytes: 90e6, cpuPercent: 3, connections: 2 });
    expect(mixed.service).not.toHaveProperty('pssBytes');
    expect(roleResources([role('service', 1, unmeasured)], 1e6, {}, new Map())).toEqual({});
  });

  it('leave out what the system does not report, instead of 0', () => {
    expect(roleResources(stats, 10_000, {}, new Map([['service-2', 1]])).service).not.toHaveProperty('pssBytes');
  });
});
