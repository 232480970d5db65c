import type { CollectionPauses, RoleStats } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { processRecords } from '../src/process-records.ts';

const pauses = (count: number, pauseUs: number, maxPauseUs: number): CollectionPauses => ({
  count,
  pauseUs,
  maxPauseUs,
});

function role(kind: string, values: Partial<RoleStats> = {}): RoleStats {
  return {
    name: kind,
    kind,
    served: 100,
    servedBefore: 2000,
    cpuUs: 1000,
    rssBytes: 40e6,
    eventLoopUtilization: 0.2,
    eventLoop: { turns: 500, idleUs: 8000 },
    collections: { minor: pauses(4, 2000, 900), major: pauses(0, 0, 0) },
    inFlight: 0,
    connections: 2,
    queued: 0,
    queuedMax: 1,
    decisions: { allow: 0, deny: 0, redact: 0, reroute: 0 },
    ...values,
  };
}

const withRoles = { roles: expect.anything() };
const threads = { cpuUs: 10, waitUs: 5, slices: 3 };
const use = { processes: 2, windowUs: 1e6, cpuUs: 10, rssBytes: 1, mainThread: threads };

describe('process records of a kind of role', () => {
  it('are summed over its processes, with the max pause and the range of requests served before', () => {
    const other = role('service', {
      servedBefore: 3000,
      eventLoop: { turns: 7, idleUs: 1 },
      collections: { minor: pauses(1, 100, 100), major: pauses(2, 9000, 5000) },
    });
    expect(processRecords({ service: use }, [role('service'), other, role('gateway')])).toEqual({
      service: {
        mainThread: threads,
        collections: { minor: pauses(5, 2100, 900), major: pauses(2, 9000, 5000) },
        eventLoop: { turns: 507, idleUs: 8001 },
        servedBefore: { min: 2000, max: 3000 },
        ...withRoles,
      },
      gateway: {
        collections: { minor: pauses(4, 2000, 900), major: pauses(0, 0, 0) },
        eventLoop: { turns: 500, idleUs: 8000 },
        servedBefore: { min: 2000, max: 2000 },
        ...withRoles,
      },
    });
  });

  it('are of the role, not of the user-supplied service next to it', () => {
    const records = processRecords({ service: use, carrier: use }, [role('service', { carrierCpuUs: 5 })]);
    expect(records.service).toEqual({ mainThread: threads, roles: {} });
    expect(records.carrier).toMatchObject({ mainThread: threads, eventLoop: { turns: 500 } });
  });

  it('leave out counters that a process lacks', () => {
    const silent = role('service', { eventLoop: undefined, collections: undefined });
    expect(processRecords({}, [role('service'), silent])).toEqual({
      service: { servedBefore: { min: 2000, max: 2000 }, ...withRoles },
    });
  });
});

describe('the record of one role', () => {
  const ofRole = { cpuUs: 900.4, systemUs: 300, mainThread: threads, otherThreads: { cpuUs: 1, waitUs: 2, slices: 1 } };
  const counts = {
    messages: { received: 7, sent: 6 },
    bytes: { received: 700, sent: 600 },
    connectionsOpened: 3,
  };

  it('has the use that the host counted, and the work that the role counted', () => {
    const uneven = { ...use, systemUs: 500, roles: { a: ofRole, b: { cpuUs: 5 } } };
    const stats = [role('service', { name: 'a', ...counts }), role('service', { name: 'b', served: 1 })];
    const { service } = processRecords({ service: uneven }, stats);
    expect(service?.cpu).toEqual({ userUs: 0, systemUs: 500 });
    expect(service?.roles).toEqual({
      a: {
        cpu: { userUs: 600, systemUs: 300 },
        wait: { mainThreadUs: 5, otherThreadsUs: 2 },
        served: 100,
        turns: 500,
        ...{ messages: { received: 7, sent: 6 }, bytes: { received: 700, sent: 600 } },
        connections: { opened: 3, open: 2 },
      },
      // An older role on a host that counts only the sum of both parts.
      b: { served: 1, turns: 500 },
    });
  });

  it('has the own clock of the role where the host reports nothing, and its use alone where it did not answer', () => {
    const carrier = { carrierCpuUs: 50, systemUs: 20 };
    const stats = [role('service', { systemUs: 400 }), role('service', { name: 'next to', ...carrier })];
    const records = processRecords({}, stats);
    expect(records.service?.roles?.service).toMatchObject({ cpu: { userUs: 600, systemUs: 400 } });
    expect(records.carrier?.roles?.['next to']).toMatchObject({ cpu: { userUs: 30, systemUs: 20 } });
    expect(processRecords({ service: { ...use, roles: { a: ofRole } } }, []).service?.roles).toEqual({
      a: { cpu: { userUs: 600, systemUs: 300 }, wait: { mainThreadUs: 5, otherThreadsUs: 2 } },
    });
  });
});
