import type { FlowItem, TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';
import { linksAloneUs, pathLinks, plannedHops } from '../src/planned-hops.ts';

const nodes = [
  { name: 'gw', region: 'eu', services: false },
  { name: 'n1', region: 'eu' },
  { name: 'n2', region: 'us' },
];
function hopsOf(architecture: string, input: Partial<TopologyInput>) {
  const topology: TopologyInput = {
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 'hops',
    nodes,
    services: [],
    ...input,
  };
  const graph = graphOf(topology, undefined, { factors: { architecture } });
  const plan = planDeployment(graph);
  return { ...plannedHops(graph, plan), links: pathLinks(graph, plan) };
}

describe('the links of a request alone', () => {
  const links = [{ from: 'eu', to: 'us', delay: '40ms', jitter: '5ms' }];
  const aloneUs = (architecture: string, more: Partial<TopologyInput>): number => {
    const topology: TopologyInput = {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'links' },
      ...{ nodes, links, services: [{ generate: 4 }], placement: 'blocks', ...more },
    };
    const graph = graphOf(topology, undefined, { factors: { architecture } });
    return linksAloneUs(graph, planDeployment(graph));
  };

  it('are each message and each answer of a call over a link, less its jitter', () => {
    // s1 and s2 are in the EU with the gateway, s3 and s4 in the US: over once, and back with the report.
    expect(aloneUs('none', {})).toBe(2 * 35_000);
    expect(aloneUs('sidecar', {})).toBe(2 * 35_000);
    // Two calls of services in the US, with their answers.
    expect(aloneUs('central-entity', {})).toBe(4 * 35_000);
    // eu → us → eu → us → eu
    expect(aloneUs('none', { placement: 'round-robin' })).toBe(4 * 35_000);
  });

  it('are not summed where branches run at the same time', () => {
    const services = ['a', 'b', 'c'].map((name) => ({ name }));
    expect(aloneUs('central-entity', { services, flow: ['a', ['b', 'c']] })).toBe(0);
    expect(aloneUs('none', { links: [] })).toBe(0);
  });
});

describe('hops of a request that every rule allows', () => {
  it.each([1, 2, 7, 50])('in a chain of N are N + 1, N + 2 and 2N + 1: N = %i', (n) => {
    const services = [{ generate: n }];
    expect(hopsOf('none', { services }).perRequest).toBe(n + 1);
    expect(hopsOf('central-entity', { services }).perRequest).toBe(n + 2);
    expect(hopsOf(`dynamic-router-${n}`, { services })).toEqual(hopsOf('sidecar', { services }));
    expect(hopsOf('sidecar', { services }).perRequest).toBe(2 * n + 1);
  });

  it('with k routers are one per service, one per hand-over, one in and one out', () => {
    expect(hopsOf('dynamic-router-2', { services: [{ generate: 6 }] }).perRequest).toBe(6 + 1 + 2);
  });

  it('between nodes are counted apart, and depend on the placement', () => {
    const services = [{ generate: 4 }];
    // gw → n1 · n1 → n2 · n2 → gw
    expect(hopsOf('none', { services, placement: 'blocks' }).betweenNodes).toBe(3);
    // gw → n1 → n2 → n1 → n2 → gw
    expect(hopsOf('none', { services, placement: 'round-robin' }).betweenNodes).toBe(5);
    // The central entity stands on the gateway's node: every call leaves it.
    expect(hopsOf('central-entity', { services }).betweenNodes).toBe(4);
  });

  it('in nested style lack the reports', () => {
    expect(hopsOf('none', { services: [{ generate: 4 }], enforcement: { style: 'nested' } }).perRequest).toBe(4);
  });

  it('count what a fork sends and gets back', () => {
    const services = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    // gateway → a · a → b · b → a · a → c · c → a · a → d · d → gateway
    expect(hopsOf('none', { services, flow: ['a', ['b', 'c'], 'd'] }).perRequest).toBe(7);
    // The gateway holds a fork that opens the flow: three out, two back from branches, one from the end.
    expect(hopsOf('none', { services, flow: [['a', 'b'], 'c', 'd'] }).perRequest).toBe(7);
    // One router does all of it at home, but for the fork that the gateway holds.
    expect(hopsOf('dynamic-router-1', { services, flow: ['a', ['b', 'c'], 'd'] }).perRequest).toBe(6);
    expect(hopsOf('central-entity', { services, flow: [['a', 'b'], 'c', 'd'] }).perRequest).toBe(6);
  });

  it('are the same for k = N routers and sidecars, whatever the flow', () => {
    const { item } = fc.letrec<{ item: FlowItem }>((tie) => ({
      item: fc.oneof({ maxDepth: 4 }, fc.constant('x'), fc.array(tie('item'), { minLength: 1, maxLength: 3 })),
    }));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 4 }), (shape) => {
        let count = 0;
        const numbered = (items: readonly FlowItem[]): FlowItem[] =>
          items.map((one) => (typeof one === 'string' ? `s${count++}` : numbered(one)));
        const flow = numbered(shape);
        const services = Array.from({ length: count }, (_, i) => ({ name: `s${i}` }));
        expect(hopsOf(`dynamic-router-${count}`, { services, flow })).toEqual(hopsOf('sidecar', { services, flow }));
        expect(hopsOf('central-entity', { services, flow }).perRequest).toBe(count + 2);
      }),
      { numRuns: 50 },
    );
  });
});

it('links on the way are listed with how often a request crosses them', () => {
  const { links } = hopsOf('none', {
    services: [{ generate: 4 }],
    placement: 'round-robin',
    links: [{ from: 'eu', to: 'us', delay: '40ms', jitter: '5ms' }],
  });
  const delay = { delayUs: 40_000, jitterUs: 5000 };
  expect(links).toEqual(
    expect.arrayContaining([
      { from: 1, to: 2, ...delay, times: 2 },
      { from: 2, to: 1, ...delay, times: 1 },
      { from: 2, to: 0, ...delay, times: 1 },
    ]),
  );
  expect(links).toHaveLength(3);
});
