import { planDeployment } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { describe, expect, it } from 'vitest';
import { simulatedEvents } from '../src/simulated/simulated-events.ts';

/** @returns until when a point has fetched the rules of a stage at 1 s, µs */
function fetchedUs(distribution: 'stream' | { poll: string }, ...events: object[]): number {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ name: 'a' }] },
    enforcement: { architecture: 'sidecar', distribution },
  });
  const settings = { events: [{ at: 1e6, rules: 'v2.yaml' }, ...events], seed: 1, duration: 60e6 };
  const cell = { settings, graph, plan: planDeployment(graph), changedRules: [graph] };
  const { changes } = simulatedEvents(cell as unknown as ExperimentCell, 1) as NonNullable<
    ReturnType<typeof simulatedEvents>
  >;
  const delayUs = changes.flatMap(({ stages }) => stages.flat()).find(({ to }) => to === 'a-sidecar')?.delayUs;
  return 1e6 + (delayUs as (stageUs: number) => number)(1e6);
}

describe('a simulated point fetches rules', () => {
  it('at its next question, and from a gateway that is up', () => {
    const poll = { poll: '100ms' };
    const pollUs = fetchedUs(poll);
    expect(pollUs).toBeGreaterThanOrEqual(1e6);
    expect(pollUs).toBeLessThan(1.1e6);
    const crash = { at: 0.9e6, crash: 'gateway', restart: 0.5e6 };
    expect(fetchedUs('stream')).toBe(1e6);
    expect(fetchedUs('stream', crash)).toBe(1.4e6);
    expect(fetchedUs('stream', { ...crash, crash: 'a' })).toBe(1e6);
    expect(fetchedUs('stream', { ...crash, restart: 0.1e6 })).toBe(1e6);
    expect(fetchedUs('stream', { ...crash, restart: 'never' })).toBe(Number.POSITIVE_INFINITY);
    expect(fetchedUs(poll, { ...crash, restart: 'never' })).toBe(Number.POSITIVE_INFINITY);
    expect(fetchedUs(poll, crash)).toBeCloseTo(pollUs + 0.4e6, 3);
    expect(fetchedUs(poll, { at: 0.9e6, freeze: 'gateway', for: 0.5e6 })).toBe(1.4e6);
    // Down again when it would ask.
    expect(fetchedUs('stream', { at: 1.3e6, crash: 'gateway', restart: 0.5e6 }, crash)).toBe(1.8e6);
  });
});
