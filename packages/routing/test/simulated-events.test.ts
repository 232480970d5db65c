import { planDeployment } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { expect, it } from 'vitest';
import { unsimulatedEvent } from '../src/simulated/simulated-events.ts';

it('a drawn crash of the gateway is not simulated, whether or not the first repetition has one', () => {
  const graph = graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ name: 'a' }] });
  const of = (role: string, mean: number) => {
    const events = [{ crash: { role, every: { law: 'exponential', mean }, down: 1e5 } }];
    const settings = { events, seed: 1, duration: 1e6 };
    return unsimulatedEvent({ graph, plan: planDeployment(graph), settings } as unknown as ExperimentCell);
  };
  expect(of('gateway', 1e4)).toBe('the event crashes of gateway, a crash of the gateway,');
  expect(of('gateway', 1e12)).toBe('the event crashes of gateway, a crash of the gateway,');
  expect(of('a', 1e4)).toBeUndefined();
});
