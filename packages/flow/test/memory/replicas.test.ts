/** Replicas of enforcement points: which of them gets a flow, what each does, and what the loss of one means. */
import { architectures, isReplicated } from '@topo-bench/core';
import { type FlowItem, spreads, styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { type Graph, graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { GatewayAnswer } from '../../src/index.ts';
import { memoryOf, type TestMemoryOptions } from '../fixtures/memory.ts';

const services = ['s0', 's1', 's2', 's3', 's4', 's5'];
/** Branches return to the router of their fork, and leave it again. */
const groups: FlowItem[] = ['s0', [['s1', 's2', 's3', 's4'], 's5'], 's6', [['s7', 's8'], 's9']];
const cases = architectures.filter(isReplicated).flatMap((architecture) => {
  return styles.flatMap((style) => spreads.map((spread) => [architecture, style, spread] as const));
});

function graphWith(enforcement: TopologyInput['enforcement'], flow: FlowItem[] = services): Graph {
  return graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'replicas', flow },
    nodes: ['a', 'b'].map((name) => ({ name, region: name })),
    // The services of a router take turns along the flow.
    services: [...new Set([flow].flat(9) as string[])].map((name, i) => ({ name, node: i % 2 ? 'b' : 'a' })),
    enforcement,
  });
}

interface Message {
  id: string;
  kind: string;
  from: string;
  to: string;
}

async function messagesOf(graph: Graph, requests: number, options: TestMemoryOptions = {}) {
  const messages: Message[] = [];
  const memory = await memoryOf(graph, {
    ...options,
    onEffect: (effect, { name: from }) => {
      if (effect.kind === 'forward' || effect.kind === 'report')
        messages.push({ id: effect.task.id, kind: effect.kind, from, to: effect.crossing.to });
    },
  });
  const answers = await memory.sendAll(
    Array.from({ length: requests }, (_, i) => ({
      atUs: i,
      request: {
        ...{ id: `request-${i}`, class: 'order', origin: 'a', categories: [], consents: [], purpose: 'contract' },
        payload: { customer: 'Ada' },
      },
    })),
  );
  expect(memory.openForks()).toBe(0);
  return { messages, memory, answers: answers.map((answer) => (answer as GatewayAnswer).response) };
}

const ofPoint = (to: string, point: string): boolean => to === point || to.startsWith(`${point}-`);
/** `router-1-2` is number 2 of its point. */
const numberOf = (role: string): string => /^(?:central-entity|router-\d+)-(\d+)$/.exec(role)?.[1] ?? '1';

describe('replicas of an enforcement point', () => {
  it('get equal shares of the requests of the gateway, in turn', async () => {
    const { memory } = await messagesOf(graphWith({ architecture: 'central-entity', replicas: 3 }), 12);
    const decisions = ['central-entity', 'central-entity-2', 'central-entity-3'].map(
      (role) => memory.counts(role).decisions.allow,
    );
    expect(decisions).toEqual([24, 24, 24]);
  });

  it('get equal shares of the flows of each router, in turn', async () => {
    const graph = graphWith({ architecture: 'dynamic-router', routers: 2, replicas: 2 });
    const { messages } = await messagesOf(graph, 40);
    for (const [from, to] of ['router-1', 'router-1-2'].map((name) => [name, 'router-2'] as const)) {
      const sent = messages.filter((one) => one.from === from && ofPoint(one.to, to));
      expect(sent).toHaveLength(60);
      expect(sent.filter((one) => one.to === to)).toHaveLength(30);
    }
  });

  it('with the same number get all flows of a request that sticks, and each number gets some', async () => {
    const graph = graphWith({ architecture: 'dynamic-router', routers: 2, replicas: 3, spread: 'sticky' });
    const { messages } = await messagesOf(graph, 60);
    const numbers = new Map<string, Set<string>>();
    for (const { id, to } of messages.filter(({ kind }) => kind === 'forward')) {
      numbers.set(id, (numbers.get(id) ?? new Set()).add(numberOf(to)));
    }
    expect([...numbers.values()].every(({ size }) => size === 1)).toBe(true);
    const shares = ['1', '2', '3'].map((number) => [...numbers.values()].filter((own) => own.has(number)).length);
    for (const share of shares) expect(share).toBeGreaterThan(8);
  });

  it.each(cases)('never send to each other, and take the hops of one process: %s, %s, %s', async (...levels) => {
    const [architecture, style, spread] = levels;
    const enforcement = { architecture, style, spread, routers: 2 };
    const { messages, answers } = await messagesOf(graphWith({ ...enforcement, replicas: 3 }, groups), 9);
    const one = await messagesOf(graphWith(enforcement, groups), 9);
    expect(answers.map(({ outcome, hops }) => [outcome, hops])).toEqual(
      one.answers.map(({ outcome, hops }) => [outcome, hops]),
    );
    expect(answers[0]).toMatchObject({ outcome: 'completed' });
    for (const { from, to } of messages) {
      const point = from.replace(/^(central-entity|router-\d+)-\d+$/, '$1');
      expect(ofPoint(to, point), `${from} to ${to}`).toBe(false);
    }
  });

  it('are lost one by one: a crash takes the requests of one replica alone', async () => {
    const graph = graphWith({ architecture: 'central-entity', replicas: 2 });
    const { answers } = await messagesOf(graph, 8, { down: ['central-entity-2'] });
    const ends = answers.map(({ outcome, error }) => error ?? outcome);
    expect(ends).toEqual(Array.from({ length: 4 }, () => ['completed', 'unreachable:central-entity-2']).flat());
  });
});
