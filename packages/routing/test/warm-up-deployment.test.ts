import { graphOf } from '@topo-bench/topology';
import { expect, it } from 'vitest';
import { servedOf } from '../src/warm-up-deployment.ts';

it('a gateway is warm by its share of the requests', () => {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', gateways: 'per region' },
    nodes: ['eu', 'us', 'asia'].map((region) => ({ name: region, region })),
    services: [{ name: 'a', node: 'eu' }],
    requests: { classes: [{ name: 'c', origin: { eu: 9, us: 1 } }] },
  });
  const stats = [
    { name: 'gateway', served: 900 },
    { name: 'gateway-us', served: 90 },
    { name: 'gateway-asia', served: 0 },
    { name: 'a', served: 990 },
  ];
  expect(servedOf(stats, graph).map(Math.round)).toEqual([900, 300, 990]);
});
