import { architectures } from '@topo-bench/core';
import { type FlowItem, styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment';
import { type Graph, graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { memoryOf, type TestMemoryOptions } from '../fixtures/memory.ts';

const request = {
  ...{ id: 'one', class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract' },
  payload: { customer: 'Ada' },
};
const nodes = ['a', 'b', 'c'].map((name) => ({ name, region: name }));
const delays = { 'a-b': 3000, 'a-c': 70_000, 'b-c': 11_000 };
const workUs = [100, 2300, 40, 7000, 650, 13];

function graphWith(
  flow: FlowItem[],
  enforcement: TopologyInput['enforcement'],
  placement: 'blocks' | 'round-robin',
): Graph {
  return graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'timed', nodes, placement, flow },
    links: Object.entries(delays).map(([pair, us]) => ({ from: pair[0] ?? '', to: pair[2] ?? '', delay: `${us}us` })),
    services: workUs
      .map((us, i) => ({ name: `s${i}`, work: `${us}us` }))
      .filter(({ name }) => JSON.stringify(flow).includes(name)),
    enforcement,
  });
}

/** Written from the page of semantics, with no code of the flow: link delays and work along the slowest way. */
function naiveRttUs(graph: Graph, flow: readonly FlowItem[]): number {
  const { roles, executorOf } = planDeployment(graph);
  const { architecture, style } = graph.enforcement;
  const nodeOf = (name: string): number => roles.find((role) => role.name === name)?.node ?? -1;
  const linkUs = (from: number, to: number): number => {
    const [x = 0, y = 0] = [from, to].toSorted((p, q) => p - q);
    return x === y ? 0 : delays[`${nodes[x]?.name}-${nodes[y]?.name}` as keyof typeof delays];
  };
  /** Time until the outcome is back at the holder that starts the series. */
  const seriesUs = (items: readonly FlowItem[], holder: number): number => {
    let [at, us, backUs] = [holder, 0, 0];
    for (const item of items) {
      if (typeof item !== 'string') {
        us += Math.max(...item.map((branch) => seriesUs(typeof branch === 'string' ? [branch] : branch, at)));
        continue;
      }
      const { index, node } = graph.services.find(({ name }) => name === item) as Graph['services'][number];
      const executor = nodeOf(executorOf[index] ?? '');
      us += linkUs(at, executor) + (workUs[index] ?? 0);
      backUs += linkUs(executor, at);
      if (architecture !== 'none') us += 2 * linkUs(executor, node);
      at = executor;
    }
    return us + (style === 'nested' ? backUs : linkUs(at, holder));
  };
  // The central entity stands with the gateway: no link between them.
  return seriesUs(flow, graph.gateways[0].node);
}

const flows: FlowItem[][] = [
  ['s0', 's1', 's2', 's3', 's4', 's5'],
  ['s0', ['s1', 's2'], 's3', ['s4', 's5']],
  [['s0', ['s1', ['s2', 's3'], 's4']], 's5'],
  [['s0', 's1', 's2', 's3', 's4', 's5']],
  [
    [
      ['s3', 's1'],
      ['s0', ['s2', 's4']],
    ],
    's5',
  ],
];

describe('the time of a request in an unloaded system', () => {
  const cases = architectures.flatMap((architecture) => styles.map((style) => [architecture, style] as const));
  it.each(cases)('is the sum of link delays and work along its slowest way: %s, %s', async (architecture, style) => {
    for (const flow of flows) {
      for (const placement of ['blocks', 'round-robin'] as const) {
        const graph = graphWith(flow, { architecture, style, routers: 4 }, placement);
        const { rttUs, outcome } = await (await memoryOf(graph)).send(request);
        expect([outcome, rttUs]).toEqual(['completed', naiveRttUs(graph, flow)]);
      }
    }
  });

  it('by hand: a chain of two on two nodes, 3 ms apart', async () => {
    const rttUs = async (architecture: 'none' | 'central-entity' | 'sidecar', style: 'forward' | 'nested') => {
      const graph = graphOf({
        ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'by-hand', nodes: nodes.slice(0, 2) },
        links: [{ from: 'a', to: 'b', delay: '3ms' }],
        services: [
          { name: 's0', node: 'a', work: '1ms' },
          { name: 's1', node: 'b', work: '2ms' },
        ],
        enforcement: { architecture, style },
      });
      return (await (await memoryOf(graph)).send(request)).rttUs;
    };
    // To b and back, and work of 3 ms.
    for (const style of styles) {
      expect(await rttUs('none', style)).toBe(9000);
      expect(await rttUs('central-entity', style)).toBe(9000);
      expect(await rttUs('sidecar', style)).toBe(9000);
    }
  });
});

describe('a hop that is down', () => {
  const answer = async (options: TestMemoryOptions, style: 'forward' | 'nested', flow: FlowItem[]) => {
    const deployment = await memoryOf(graphWith(flow, { architecture: 'sidecar', style }, 'blocks'), options);
    const { outcome, error, steps } = await deployment.send(request);
    expect(deployment.openForks()).toBe(0);
    return [outcome, error, steps.map(({ service }) => service)];
  };

  it.each(styles)('ends a chain there, and is named: %s style', async (style) => {
    const chain = ['s0', 's1', 's2'];
    expect(await answer({ down: ['s1-sidecar'] }, style, chain)).toEqual(['error', 'unreachable:s1-sidecar', ['s0']]);
    expect(await answer({ down: ['s1'] }, style, chain)).toEqual(['error', 'unreachable:s1', ['s0', 's1']]);
  });

  it.each(styles)('does not stop the other branches of a group: %s style', async (style) => {
    const group = [['s0', ['s1', 's2'], 's3'], 's4'];
    const steps = ['s0', 's1', 's2', 's3'];
    expect(await answer({ down: ['s1'] }, style, group)).toEqual(['error', 'unreachable:s1', ['s0', 's1', 's3']]);
    expect(await answer({ down: ['s4'] }, style, group)).toEqual(['error', 'unreachable:s4', [...steps, 's4']]);
  });
});
