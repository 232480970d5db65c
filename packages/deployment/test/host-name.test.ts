import { hostNameOf } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDeployment } from '../src/plan-deployment.ts';

const label = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const nameOfTopology = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/);

describe('the host name of a role', () => {
  it('is its name where that is a DNS label', () => {
    expect(['gateway', 'svc-1', 'central-entity', 'orders-sidecar', 'a'].map(hostNameOf)).toEqual([
      'gateway',
      'svc-1',
      'central-entity',
      'orders-sidecar',
      'a',
    ]);
  });

  it('is in lower case', () => {
    expect(hostNameOf('OrderService')).toBe('orderservice');
  });

  it('is a DNS label that begins with a letter for every name of a topology', () => {
    fc.assert(fc.property(nameOfTopology, (name) => label.test(hostNameOf(name))));
    fc.assert(fc.property(nameOfTopology, (name) => label.test(hostNameOf(`${name}-sidecar`))));
  });

  it.each(['orders_eu', 'orders.eu', '1st', 'localhost', `${'x'.repeat(63)}-sidecar`])(
    'keeps the readable part of %s and ends in a hash',
    (name) => {
      const readable = name.replace(/[_.]/g, '-').slice(0, 20);
      expect(hostNameOf(name)).toMatch(/-[0-9a-f]{10}$/);
      expect(hostNameOf(name)).toContain(readable);
    },
  );

  it('differs where names differ only in what a DNS label cannot have', () => {
    const names = ['orders-eu', 'orders_eu', 'orders.eu', 'orders..eu', 'orders__eu', 'r1st', '1st'];
    expect(new Set(names.map(hostNameOf)).size).toBe(names.length);
  });

  it('differs for long names with the same beginning', () => {
    const [a, b] = [`${'x'.repeat(62)}a-sidecar`, `${'x'.repeat(62)}b-sidecar`];
    expect(hostNameOf(a)).not.toBe(hostNameOf(b));
  });

  it('differs from the name of a service that is spelled like a shortened one', () => {
    const shortened = hostNameOf('orders_eu');
    expect(hostNameOf(shortened)).not.toBe(shortened);
  });

  it('is unique among the roles of a thousand services with long names', () => {
    const prefix = `${'A_very.long-name'.repeat(4).slice(0, 57)}x`;
    const graph = graphOf(
      { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'long', services: [{ generate: 1000, prefix }] },
      undefined,
      { factors: { architecture: 'sidecar' } },
    );
    const names = planDeployment(graph).roles.map(({ name }) => hostNameOf(name));
    expect(names).toHaveLength(2001);
    expect(new Set(names).size).toBe(2001);
    expect(names.filter((name) => !label.test(name))).toEqual([]);
  });
});
