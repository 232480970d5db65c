import type { TopologyInput } from '@topo-bench/core/schema/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphOf } from '../src/load-topology.ts';
import { placeServices } from '../src/place-services.ts';

const topology = (input: Partial<TopologyInput>): TopologyInput => ({
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 'placed',
  nodes: [
    { name: 'n1', region: 'eu' },
    { name: 'n2', region: 'eu' },
    { name: 'n3', region: 'us' },
  ],
  services: [{ generate: 7 }],
  ...input,
});
const nodesOf = (input: Partial<TopologyInput>): number[] => graphOf(topology(input)).services.map(({ node }) => node);

describe('services without a node', () => {
  it('are kept together with their neighbours in blocks', () => {
    expect(nodesOf({ placement: 'blocks' })).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('are dealt out in turn by round-robin', () => {
    expect(nodesOf({ placement: 'round-robin' })).toEqual([0, 1, 2, 0, 1, 2, 0]);
  });

  it('are neighbours by the flow, not by the file', () => {
    const services = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name }));
    expect(nodesOf({ services, flow: ['a', 'd', ['b', 'e'], 'c', 'f'] })).toEqual([0, 1, 2, 0, 1, 2]);
  });

  it('fill up around those that have a node, which stay there', () => {
    const services = [{ name: 'a', node: 'n1' }, { name: 'b', node: 'n1' }, { generate: 4 }];
    expect(nodesOf({ services })).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('keep off a node that takes none', () => {
    const nodes = [{ name: 'gw', region: 'eu', services: false }, ...topology({}).nodes!];
    expect(nodesOf({ nodes })).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('come before alternatives, so that alternatives do not upset the balance of the flow', () => {
    const services = [{ name: 'alt', role: 'alternative' as const }, { generate: 6 }];
    const { services: placed } = graphOf(topology({ services }));
    expect(placed.map(({ node }) => node)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('differ by at most one per node, all of them are placed, and blocks are contiguous', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 10 }),
        fc.constantFrom('blocks' as const, 'round-robin' as const),
        (count, nodes, placement) => {
          const open = nodes.sort((a, b) => a - b);
          const placed = placeServices(count, Array<number>(10).fill(0), open, placement);
          expect(placed).toHaveLength(count);
          const counts = open.map((node) => placed.filter((one) => one === node).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
          const inBlocks = [...placed].sort((a, b) => a - b);
          const inTurn = placed.map((_, i) => open[i % open.length]);
          expect(placed).toEqual(placement === 'blocks' ? inBlocks : inTurn);
        },
      ),
    );
  });

  it('leave no open node behind by more than one while a fuller one gets any', () => {
    const load = fc.array(fc.nat(8), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(40), load, (count, occupied) => {
        const placed = placeServices(count, occupied, [...occupied.keys()], 'round-robin');
        const total = occupied.map((before, node) => before + placed.filter((one) => one === node).length);
        for (const node of new Set(placed)) expect(total[node]! - Math.min(...total)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
