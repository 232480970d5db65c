/** Busy shares without a simulation: closed formulas, and what simulations of the full model use. */
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { busyModel, freeModel, hostWith } from './fixtures/free-model.ts';
import { type Load, replicationsOf } from './fixtures/replications.ts';

const topology = {
  ...{ apiVersion: 'topo-bench/v1' as const, kind: 'Topology' as const, name: 't' },
  nodes: [{ name: 'a', region: 'eu' }],
};
const queue = (name: string, mean = '1ms') => ({ name, work: { law: 'exponential' as const, mean } });
const own = { enforcement: { architecture: 'none' as const } };

async function stabilityOf(graph: ReturnType<typeof graphOf>, load: Load) {
  return (await replicationsOf(graph, load)).stability();
}

describe('the state of a deployment without a simulation', () => {
  it.each([
    [600, 'stable', 0.6],
    [900, 'near-capacity', 0.9],
    [2310, 'unstable', 2.31],
  ])('M/M/1 at %d/s is %s: utilisation λ ÷ μ, and μ bounds the throughput', async (rateRps, state, busyShare) => {
    const graph = graphOf({ ...topology, ...own, services: [queue('s0')], flow: ['s0'] });
    const stability = await stabilityOf(graph, { rateRps, seconds: 1 });
    expect(stability).toMatchObject({ state, bottleneck: { kind: 'process', name: 's0' } });
    expect(stability.bottleneck.busyShare).toBeCloseTo(busyShare, 9);
    expect(stability.maxRps).toBeCloseTo(1000, 6);
  });

  it('of a tandem the slowest station is the bottleneck, and of one core all of them', async () => {
    const services = [queue('s0'), queue('s1', '2ms'), queue('s2')];
    const graph = graphOf({ ...topology, ...own, services, flow: ['s0', 's1', 's2'] });
    const apart = await stabilityOf(graph, { rateRps: 300, seconds: 1 });
    expect(apart).toMatchObject({ state: 'stable', bottleneck: { kind: 'process', name: 's1' } });
    expect(apart.maxRps).toBeCloseTo(500, 6);
    const oneCore = await stabilityOf(graph, { rateRps: 300, seconds: 1, cluster: hostWith(1, 1) });
    expect(oneCore).toMatchObject({ state: 'unstable', bottleneck: { kind: 'host', name: 'host' } });
    expect([oneCore.hosts.host, oneCore.maxRps]).toEqual([expect.closeTo(1.2, 9), expect.closeTo(250, 6)]);
  });

  it('counts a fork once at its join, and work of `wait` not at all', async () => {
    const waiting = { name: 's2', work: { kind: 'wait' as const, mean: '50ms' } };
    const services = [queue('s0'), queue('s1'), waiting, queue('s3')];
    const graph = graphOf({ ...topology, ...own, services, flow: [['s0', 's1'], 's2', 's3'] });
    const decide = { ...freeModel.operations, accept: { us: 400, perKilobyteUs: 0 } };
    const { hosts } = await stabilityOf(graph, {
      ...{ rateRps: 100, seconds: 1, cluster: hostWith(1, 1) },
      model: { ...freeModel, operations: decide },
    });
    expect(hosts.host).toBeCloseTo(0.1 * 3.4, 9);
  });

  it('a faster host needs less of its time for operations', async () => {
    const graph = graphOf({ ...topology, ...own, services: [{ name: 's0', work: '0us' }], flow: ['s0'] });
    const operations = { ...freeModel.operations, receive: { us: 1000, perKilobyteUs: 0 } };
    const at = (speed: number) =>
      stabilityOf(graph, {
        ...{ rateRps: 200, seconds: 1, model: { ...freeModel, operations } },
        cluster: { hosts: [{ name: 'host', cores: 4, speed }], hostOfNode: [0] },
      });
    const [slow, fast] = [await at(1), await at(4)];
    expect(slow.bottleneck.busyShare / fast.bottleneck.busyShare).toBeCloseTo(4, 9);
  });

  it.each([
    ['none', 60],
    ['central-entity', 60],
    ['sidecar', 60],
    ['sidecar', 150],
  ] as const)('%s at %d/s: the share that a simulation of the full model uses', async (architecture, rateRps) => {
    const names = ['s0', 's1', 's2', 's3'];
    const services = names.map((name) => ({ name }));
    const graph = graphOf({ ...topology, services, flow: names, enforcement: { architecture } });
    const load = { rateRps, seconds: 60, model: busyModel, cluster: hostWith(2, 1) };
    const { replicate, stability } = await replicationsOf(graph, load);
    const { loadFigures } = replicate(1);
    const busyUs = [...loadFigures.cpuUs, ...loadFigures.helperUs].reduce((sum, us) => sum + us, 0);
    const simulated = busyUs / (2 * 60e6);
    expect((stability().hosts.host as number) / simulated).toBeGreaterThan(0.9);
    expect((stability().hosts.host as number) / simulated).toBeLessThan(1.1);
  });
});
