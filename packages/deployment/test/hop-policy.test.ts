import { architectures } from '@topo-bench/core';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { inFlightCap, maxConnections } from '../src/hop-policy.ts';
import { deploymentDocuments, planDeployment } from '../src/index.ts';
import { loopback } from './fixtures/loopback.ts';

describe('the in-flight cap', () => {
  it('is lower in nested style, unless it is stated', () => {
    const of = (style: 'forward' | 'nested', stated?: number) => inFlightCap(stated, { enforcement: { style } });
    expect([of('forward'), of('nested'), of('forward', 5), of('nested', 9000)]).toEqual([8000, 4000, 5, 9000]);
  });
});

describe('the connection limit', () => {
  it('is low for short calls, the in-flight cap for long ones, and divides the handles of the process', () => {
    expect(maxConnections(false, 8000, 3)).toBe(64);
    expect(maxConnections(true, 4000, 2)).toBe(4000);
    expect(maxConnections(true, 4000, 50)).toBe(240);
    expect(maxConnections(false, 8000, 1000)).toBe(12);
    expect(maxConnections(false, 8000, 100_000)).toBe(2);
  });

  /** By peer, in the document of a role. */
  function hops(role: string, enforcement: TopologyInput['enforcement']) {
    const graph = graphOf({
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'hops', enforcement },
      services: [
        { name: 'cpu' },
        { name: 'wait', work: { mean: '1ms', kind: 'wait' } },
        { name: 'kept', persistence: { store: 'sql-indexed' } },
        { name: 'user', url: 'http://127.0.0.1:9/work' },
      ],
    });
    const storeUrls = { kept: 'postgresql://127.0.0.1:5432/kept' };
    const plan = planDeployment(graph);
    const { roles } = deploymentDocuments({ graph, plan, seed: 1, secret: 's', storeUrls, place: loopback });
    const peers = roles.find(({ config }) => config.name === role)?.config.peers ?? {};
    return Object.fromEntries(
      Object.entries(peers).map(([name, peer]) => [name, [peer.maxConnections, peer.userSupplied]]),
    );
  }

  it('in a document is long towards services that wait or keep items, and executors in nested style', () => {
    expect(hops('central-entity', { architecture: 'central-entity', style: 'forward' })).toEqual({
      gateway: [64, undefined],
      cpu: [64, undefined],
      wait: [2400, undefined],
      kept: [2400, undefined],
      user: [2400, true],
    });
    expect(hops('cpu-sidecar', { architecture: 'sidecar', style: 'nested' })).toEqual({
      cpu: [64, undefined],
      'wait-sidecar': [4000, undefined],
    });
    expect(hops('cpu', { architecture: 'none', style: 'forward' })).toMatchObject({ wait: [64, undefined] });
    expect(hops('cpu', { architecture: 'none', style: 'nested' })).toEqual({ wait: [4000, undefined] });
  });

  it('of every peer is stated in the documents of all architectures', () => {
    for (const architecture of architectures) {
      for (const style of styles) {
        for (const [max] of Object.values(hops('gateway', { architecture, style }))) expect(max).toBeGreaterThan(1);
      }
    }
  });
});
