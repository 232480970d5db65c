import type { DeploymentPlan } from '@topo-bench/deployment';
import { describe, expect, it } from 'vitest';
import { cpuSetsOf } from '../../src/docker/cpu-sets.ts';

const planOn = (...nodes: number[]): DeploymentPlan => ({
  roles: nodes.map((node, at) => ({ name: `r${at}`, kind: 'service', node, responsibleFor: [at], peers: [] })),
  executorOf: [],
});
const setsOf = (nodes: number[], cores: number, local = true) => {
  const sets = cpuSetsOf(planOn(...nodes), { cores, local });
  return nodes.map((node) => sets.of(node));
};

describe('CPU sets of nodes', () => {
  it('are disjoint and equal in size, and leave a processor to the load generator', () => {
    expect(setsOf([0, 1], 3)).toEqual(['1', '2']);
    expect(setsOf([0, 1, 2], 8)).toEqual(['2-3', '4-5', '6-7']);
    expect(setsOf([0, 2, 0, 5], 8)).toEqual(['2-3', '4-5', '2-3', '6-7']);
  });

  it('use all processors where the load generator is elsewhere', () => {
    expect(setsOf([0, 1], 2, false)).toEqual(['0', '1']);
  });

  it('are not needed for one node', () => {
    expect(cpuSetsOf(planOn(1, 1), { cores: 1, local: true })).toEqual({ of: expect.any(Function) });
    expect(setsOf([1, 1], 8)).toEqual([undefined, undefined]);
  });

  it('are not applied without enough processors, and a note reports it', () => {
    expect(setsOf([0, 1], 2)).toEqual([undefined, undefined]);
    expect(cpuSetsOf(planOn(0, 1), { cores: 2, local: true }).notice).toBe(
      'the nodes of the topology share all 2 cores of the engine: 2 nodes and the load generator need 3 for CPU sets of their own',
    );
    expect(cpuSetsOf(planOn(0, 1, 2), { cores: 2, local: false }).notice).toMatch(/3 nodes need 3 for/);
  });
});
