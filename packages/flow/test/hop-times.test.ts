import type { Style } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { type FlowRole, HopTimes, isPastDeadline } from '../src/index.ts';

const roleWith = (style: Style, hopUs: number, executors: number): FlowRole =>
  ({
    style,
    deadlines: { hopUs, requestUs: 10_000_000 },
    graph: { services: Array.from({ length: executors }, (_, i) => ({ executor: `e${i}` })) },
  }) as unknown as FlowRole;

describe('the time of a hop', () => {
  it('is its deadline, or what is left of the request', () => {
    const times = new HopTimes(roleWith('forward', 5_000_000, 4));
    expect(times.withinUs({ expiresUs: 8_000_000 }, 1_000_000)).toBe(5_000_000);
    expect(times.withinUs({ expiresUs: 8_000_000 }, 7_000_000)).toBe(1_000_000);
    expect(times.withinUs({ expiresUs: 8_000_000 }, 8_000_001)).toBeLessThan(0);
  });

  it('in forward style leaves the receiver all that is left of the request', () => {
    const times = new HopTimes(roleWith('forward', 5_000_000, 4));
    expect(times.leftUs({ expiresUs: 8_000_000 }, 1_000_000)).toBe(7_000_000);
  });

  it('in nested style ends a margin before that of the caller, and the receiver has no more', () => {
    const times = new HopTimes(roleWith('nested', 5_000_000, 4));
    const flow = { expiresUs: 3_000_000 };
    expect([times.withinUs(flow, 0), times.leftUs(flow, 0)]).toEqual([2_950_000, 2_950_000]);
    // All executors together take at most a quarter of a hop's deadline.
    expect(new HopTimes(roleWith('nested', 1_000_000, 50)).withinUs({ expiresUs: 900_000 }, 0)).toBe(895_000);
  });
});

describe('an error at a deadline', () => {
  it.each([
    ['forward', 9_997_999, false],
    ['forward', 9_998_000, true],
    // Four margins of 50 ms earlier.
    ['nested', 9_799_999, false],
    ['nested', 9_800_000, true],
  ] as const)('in %s style after %i µs is that of the request: %s', (style, rttUs, expected) => {
    const role = roleWith(style, 5_000_000, 4);
    expect(isPastDeadline(role, { kind: 'error', error: 'deadline:e1', message: '' }, rttUs)).toBe(expected);
    expect(isPastDeadline(role, { kind: 'error', error: 'unreachable:e1', message: '' }, rttUs)).toBe(false);
    expect(isPastDeadline(role, { kind: 'completed' }, rttUs)).toBe(false);
  });
});
