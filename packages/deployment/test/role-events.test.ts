import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';
import { roleEvents, targetNames } from '../src/role-events.ts';

const topology: TopologyInput = {
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 'targets',
  nodes: [
    { name: 'n1', region: 'eu' },
    { name: 'n2', region: 'us' },
    { name: 'n3', region: 'us' },
  ],
  services: [
    { name: 'a', node: 'n1' },
    { name: 'b', node: 'n2' },
    { name: 'c', node: 'n3' },
  ],
};

function deployed(level: string) {
  const [architecture = '', replicas = 1] = level.split(' x ');
  const graph = graphOf(topology, undefined, { factors: { architecture, replicas: Number(replicas) } });
  return { graph, plan: planDeployment(graph) };
}

const rolesOf = (target: string, architecture: string) => {
  const [event] = roleEvents([{ at: 0, crash: target, restart: 'never' }], deployed(architecture)).events;
  return event?.kind === 'crash' ? event.roles : undefined;
};

describe('the target of an event', () => {
  it.each([
    ['a role', 'router-2', 'dynamic-router-3', ['router-2']],
    ['a kind', 'routers', 'dynamic-router-3', ['router-1', 'router-2', 'router-3']],
    ['services', 'services', 'central-entity', ['a', 'b', 'c']],
    ['all points', 'points', 'sidecar', ['a-sidecar', 'b-sidecar', 'c-sidecar']],
    ['the point of a service', 'point of b', 'sidecar', ['b-sidecar']],
    ['the point of a service', 'point of b', 'central-entity', ['central-entity']],
    ['the first replica of a point', 'central-entity', 'central-entity x 2', ['central-entity']],
    ['one replica', 'router-1-2', 'dynamic-router-2 x 2', ['router-1-2']],
    ['all replicas of the point of a service', 'point of c', 'dynamic-router-2 x 2', ['router-2', 'router-2-2']],
    ['a kind', 'routers', 'dynamic-router-2 x 2', ['router-1', 'router-1-2', 'router-2', 'router-2-2']],
    ['the point of a service without enforcement', 'point of b', 'none', ['b']],
    ['a node', 'n1', 'sidecar', ['gateway', 'a-sidecar', 'a']],
    ['a region', 'us', 'none', ['b', 'c']],
    ['several', 'points and services', 'central-entity', ['central-entity', 'a', 'b', 'c']],
    ['several with an unknown one', 'b and nobody', 'none', undefined],
    ['nothing', 'nobody', 'none', undefined],
    ['points without enforcement', 'points', 'none', undefined],
  ])('is %s: %s under %s', (_, target, architecture, roles) => {
    expect(rolesOf(target, architecture)).toEqual(roles);
  });

  it('is one of the suggested names, each of which exists', () => {
    const cell = deployed('dynamic-router-2');
    for (const target of targetNames(cell))
      expect([target, rolesOf(target, 'dynamic-router-2')]).not.toContain(undefined);
    expect(targetNames(cell)).toContain('router-2');
  });

  it('is unknown for a side of a partition too', () => {
    const partition = { at: 0, partition: ['eu', 'asia'], for: 1e6, oneWay: false };
    expect(roleEvents([partition], deployed('none'))).toEqual({
      events: [],
      drawn: [],
      unknown: [{ index: 0, target: 'asia' }],
    });
  });
});
