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

describe('network policies', () => {
  it('open a service behind a central entity to that entity alone', () => {
    expect(mayOpen('central-entity', 'svc-1', 8080)).toEqual(['central-entity']);
    expect(mayOpen('central-entity', 'central-entity', 8080)).toEqual(['gateway']);
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
