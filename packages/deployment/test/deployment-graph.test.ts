import { graphOf } from '@topo-bench/topology';
import { expect, it } from 'vitest';
import { deploymentGraph } from '../src/deployment-graph.ts';
import { planDeployment } from '../src/plan-deployment.ts';

it('a role graph is plain data that survives JSON, shares nothing with the graph, and names the executor of each service', () => {
  const when = { fact: 'request' as const, path: '$.origin', operator: 'equal', value: 'eu' };
  const graph = graphOf(
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Topology',
      name: 'x',
      nodes: [
        { name: 'a', region: 'eu' },
        { name: 'b', region: 'us' },
      ],
      links: [{ from: 'eu', to: 'us', delay: '40ms' }],
      services: [{ name: 's', tags: ['t'] }, { name: 'u' }, { name: 'v' }],
      flow: ['s', ['u', 'v']],
      enforcement: { architecture: 'sidecar' },
    },
    {
      apiVersion: 'topo-bench/v1',
      kind: 'Rules',
      name: 'r',
      rules: [{ id: 'one', forEach: 'services', when, effect: 'allow' }],
    },
  );
  const plan = planDeployment(graph);
  const roleGraph = deploymentGraph(graph, plan, 'simulated');
  expect(JSON.parse(JSON.stringify(roleGraph))).toEqual(roleGraph);
  expect(roleGraph.nodes).toEqual([
    { name: 'a', region: 'eu' },
    { name: 'b', region: 'us' },
  ]);
  expect(roleGraph.services[0]).toEqual({
    name: 's',
    node: 0,
    tags: ['t'],
    work: { law: 'constant', meanUs: 100, kind: 'cpu' },
    responseBytes: 256,
    alternative: false,
    executor: 's-sidecar',
  });
  expect(roleGraph.links).toEqual([
    [null, { delayUs: 40_000, jitterUs: 0 }],
    [{ delayUs: 40_000, jitterUs: 0 }, null],
  ]);
  expect(roleGraph.flow).toEqual(graph.flow);
  expect(roleGraph.ruleIds).toEqual(['one@s', 'one@u', 'one@v']);
  roleGraph.services[0]!.tags.push('changed');
  expect(graph.services[0]!.tags).toEqual(['t']);
  // On a real network no role adds a delay.
  const { links } = deploymentGraph(graph, plan, 'real');
  expect(links).toEqual([
    [null, null],
    [null, null],
  ]);
});
