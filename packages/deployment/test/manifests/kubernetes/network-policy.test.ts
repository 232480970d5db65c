import type { Architecture } from '@topo-bench/core';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { describe, expect, it } from 'vitest';
import { manifestsOf, named } from '../../fixtures/kubernetes.ts';

interface Rule {
  from?: { podSelector: { matchExpressions: { values: string[] }[] } }[];
  ports: { port: number }[];
}

/** Pods that may open a port of a pod: `anywhere`, names, or an empty list. */
function mayOpen(architecture: Architecture, pod: string, port: number, input: Partial<TopologyInput> = {}): string[] {
  const { ingress } = named(manifestsOf(architecture, input).manifests.networkPolicies, pod).spec as {
    ingress: Rule[];
  };
  const rules = ingress.filter(({ ports }) => ports.some((open) => open.port === port));
  return rules.flatMap(
    ({ from }) =>
      from?.flatMap(({ podSelector }) => podSelector.matchExpressions.flatMap(({ values }) => values)) ?? ['anywhere'],
  );
}

interface Target {
  to?: { podSelector: { matchLabels?: object; matchExpressions?: { values: string[] }[] } }[];
  ports?: { port: number }[];
}

/** What a pod may open, as `pod:port`, `deployment` for all its pods, and `anywhere` for addresses outside. */
function mayReach(architecture: Architecture, pod: string, input: Partial<TopologyInput> = {}): string[] {
  const { policyTypes, egress } = named(manifestsOf(architecture, input).manifests.networkPolicies, pod).spec as {
    policyTypes: string[];
    egress: Target[];
  };
  expect(policyTypes).toContain('Egress');
  return egress.flatMap(({ to, ports }) => {
    const targets = to?.flatMap(
      ({ podSelector }) => podSelector.matchExpressions?.flatMap(({ values }) => values) ?? ['deployment'],
    ) ?? ['anywhere'];
    return targets.flatMap((target) => (ports ?? [{ port: '*' }]).map(({ port }) => `${target}:${port}`));
  });
}

const nameServers = ['anywhere:53', 'anywhere:53'];

describe('network policies', () => {
  it('limit a role to the roles that it sends to, control ports, and name servers, and nothing else', () => {
    expect(mayReach('central-entity', 'svc-1')).toEqual(['deployment:8081', ...nameServers]);
    expect(mayReach('central-entity', 'central-entity').sort()).toEqual(
      ['gateway', 'svc-1', 'svc-2', 'svc-3']
        .map((pod) => `${pod}:8080`)
        .concat('deployment:8081', nameServers)
        .sort(),
    );
    // A service is behind the second port of the pod that it shares with its sidecar.
    expect(mayReach('sidecar', 'svc-1')).toContain('svc-2:8080');
    expect(mayReach('sidecar', 'svc-1').filter((target) => /^svc-\d:8090|^anywhere:(?!53)/.test(target))).toEqual([]);
  });

  it('open all roles to the gateway, which probes that they are closed, and no address outside', () => {
    const reached = mayReach('sidecar', 'gateway');
    expect(reached).toContain('deployment:*');
    expect(reached.filter((target) => target.startsWith('anywhere'))).toEqual(nameServers);
  });

  it.each([
    ['https://api.example.org/work', ['anywhere:443']],
    ['http://10.1.2.3:9000/work', ['anywhere:9000']],
    // The port of a Service is not that of its pods.
    ['http://pricing:80/work', ['anywhere:*']],
    ['http://pricing.shop/work', ['anywhere:*']],
    ['http://pricing.shop.svc.cluster.local/work', ['anywhere:*']],
  ])('open the port of %s to those that call it', (url, expected) => {
    const input = { services: [{ generate: 2 }, { name: 'own', url }] } as never;
    const outside = (pod: string) =>
      mayReach('central-entity', pod, input).filter((target) => /^anywhere:(?!53)/.test(target));
    expect(outside('central-entity')).toEqual(expected);
    expect(outside('svc-1')).toEqual([]);
  });

  it('open a service behind a central entity to that entity alone', () => {
    expect(mayOpen('central-entity', 'svc-1', 8080)).toEqual(['central-entity']);
    expect(mayOpen('central-entity', 'central-entity', 8080)).toEqual(['gateway']);
  });

  it('open all gateways to clients, and points to each of them', () => {
    const nodes = ['eu', 'us'].map((region) => ({ name: region, region }));
    const gateways = { nodes, gateways: 'per region' as const };
    for (const gateway of ['gateway', 'gateway-us']) {
      expect(mayOpen('central-entity', gateway, 8080, gateways)).toEqual(['anywhere']);
      expect(mayReach('central-entity', 'central-entity', gateways)).toContain(`${gateway}:8080`);
    }
    expect(mayOpen('central-entity', 'central-entity', 8080, gateways)).toEqual(['gateway', 'gateway-us']);
  });

  it('open a service to all replicas of its point, and these to all of their callers', () => {
    const replicated = { enforcement: { replicas: 2, routers: 3 } };
    expect(mayOpen('central-entity', 'svc-1', 8080, replicated)).toEqual(['central-entity', 'central-entity-2']);
    expect(mayOpen('central-entity', 'central-entity-2', 8080, replicated)).toEqual(['gateway']);
    expect(mayOpen('dynamic-router', 'router-2-2', 8080, replicated)).toEqual(['router-1', 'router-1-2']);
    expect(mayOpen('dynamic-router', 'svc-1', 8080, replicated)).toEqual(['router-1', 'router-1-2']);
    expect(mayReach('dynamic-router', 'gateway', replicated)).toEqual(mayReach('dynamic-router', 'gateway'));
  });

  it('open a service next to its sidecar to no pod, and the sidecar to those that send to it', () => {
    expect(mayOpen('sidecar', 'svc-2', 8090)).toEqual([]);
    expect(mayOpen('sidecar', 'svc-2', 8080)).toEqual(['svc-1']);
    expect(mayOpen('sidecar', 'svc-1', 8080)).toEqual(['gateway']);
  });

  it('open the gateway to clients, and control ports to probes', () => {
    expect(mayOpen('sidecar', 'gateway', 8080)).toEqual(['anywhere']);
    for (const port of [8081, 8091]) expect(mayOpen('sidecar', 'svc-1', port)).toEqual(['anywhere']);
  });

  it('open the port of Flight only where a service has it', () => {
    for (const pod of ['gateway', 'central-entity', 'svc-1']) expect(mayOpen('central-entity', pod, 8815)).toEqual([]);
    const input = { services: [{ name: 'table', arrow: { rows: 10, open: true, flight: {} } }] } as never;
    expect(mayOpen('central-entity', 'table', 8815, input)).toEqual(['anywhere']);
    expect(mayOpen('central-entity', 'gateway', 8815, input)).toEqual([]);
  });

  it('exist for every pod', () => {
    const { networkPolicies, workloads } = manifestsOf('sidecar').manifests;
    expect(networkPolicies.map(({ metadata }) => metadata.name)).toEqual(
      workloads.map(({ metadata }) => metadata.name),
    );
  });
});
