import type { ResourceUse } from '@topo-bench/core/schema/result';
import { expect, test } from 'vitest';
import { bottleneckOf, bottleneckText } from '../src/bottleneck.ts';

function repetition(loops: Record<string, number>, host: ResourceUse, flags: string[] = []) {
  const roles = Object.entries(loops).map(([role, eventLoopUtilization]) => [role, { eventLoopUtilization }]);
  return { resources: { ...Object.fromEntries(roles), host }, validity: { valid: true, reasons: [], flags } };
}

const entity = { gateway: 0.4, service: 0.2, 'central-entity': 0.98, generator: 0.99 };

test.each([
  ['a busy role', repetition(entity, { idlePercent: 30 }), 'the event loop of central-entity is 98% busy'],
  [
    'a full host before the role that waits for it',
    repetition(entity, { idlePercent: 1 }),
    'the processors of the host are the limit (1% idle; the event loop of central-entity is 98% busy)',
  ],
  [
    'other programs on a full host',
    repetition(entity, { idlePercent: 1, foreignPercent: 44 }),
    'other programs have 44% of the processors, of which 1% are idle',
  ],
  [
    'a hypervisor',
    repetition(entity, { idlePercent: 0, stolenPercent: 20 }),
    'other guests of the hypervisor have 20% of the processors',
  ],
  [
    'other programs that leave time',
    repetition(entity, { idlePercent: 40, foreignPercent: 44 }),
    'the event loop of central-entity is 98% busy',
  ],
  ['a CPU limit', repetition(entity, { idlePercent: 40 }, ['cpu-throttled']), 'a limit on CPU time stops roles'],
  ['the generator', repetition(entity, { idlePercent: 40 }, ['generator-limited']), 'the load generator is the limit'],
  [
    'nothing',
    repetition({ gateway: 0.4 }, { idlePercent: 40 }),
    'no role is at its limit (the busiest: the event loop of gateway is 40% busy)',
  ],
  ['an unknown host', repetition(entity, {}), 'the event loop of central-entity is 98% busy'],
])('the limit is %s', (_name, cell, text) => {
  expect(bottleneckText(bottleneckOf([cell]))).toBe(text);
});

test('the limit of a prediction without a steady state is its busiest station', () => {
  const station = { kind: 'process' as const, name: 'router-1', busyShare: 1.2 };
  const predicted = (state: 'stable' | 'unstable') => ({
    ...repetition({ gateway: 0.4 }, { idlePercent: 40 }),
    prediction: { state, bottleneck: station, maxRps: 90, hosts: {} },
  });
  expect(bottleneckText(bottleneckOf([predicted('unstable')]))).toBe(
    'it is unstable: the process router-1 needs 1.2 times the processor time that it has',
  );
  expect(bottleneckText(bottleneckOf([predicted('stable')]))).toMatch(/^no role is at its limit/);
});

test('the limit of several repetitions is that of their median, not of the worst', () => {
  const busy = repetition(entity, { idlePercent: 1, foreignPercent: 90 });
  const calm = repetition({ 'central-entity': 0.5 }, { idlePercent: 50, foreignPercent: 1 });
  expect(bottleneckOf([busy, calm, calm]).kind).toBe('none');
  expect(bottleneckOf([]).kind).toBe('none');
});
