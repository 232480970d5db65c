import { architectures } from '@topo-bench/core';
import { styles } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { memoryOf } from '../fixtures/memory.ts';

describe('a chain of four on two nodes', () => {
  // a: gateway, svc-1, svc-2 · b: svc-3, svc-4.
  const nodes = [
    { name: 'a', region: 'eu' },
    { name: 'b', region: 'us' },
  ];
  const hops = {
    none: { forward: [5, 2], nested: [4, 1] },
    // The central entity stands with the gateway.
    'central-entity': { forward: [6, 2], nested: [5, 2] },
    'dynamic-router': { forward: [9, 2], nested: [8, 1] },
    sidecar: { forward: [9, 2], nested: [8, 1] },
  };
  const cases = architectures.flatMap((architecture) => styles.map((style) => [architecture, style] as const));

  it.each(cases)('takes the hops that are counted by hand: %s, %s', async (architecture, style) => {
    const enforcement = { architecture, style, routers: 4 };
    const services = [{ generate: 4 }];
    const memory = await memoryOf(
      graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'four', nodes, services, enforcement }),
    );
    const answer = await memory.send({
      ...{ id: 'one', class: 'order', origin: 'eu', categories: [], consents: [], purpose: '', payload: { a: 1 } },
    });
    expect([answer.hops, answer.hopsBetweenNodes]).toEqual(hops[architecture][style]);
    expect(answer.delivered.services.map(({ service }) => service)).toEqual(['svc-1', 'svc-2', 'svc-3', 'svc-4']);
  });
});
