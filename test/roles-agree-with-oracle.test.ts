/**
 * Random topologies and rules as users write them, followed by the code of the roles without the network, and checked by the oracle's own
 * reading of the same documents: steps, refusals, what services received, exposure.
 */
import { monotonicClock } from '@topo-bench/core/clock';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { RequestFacts } from '@topo-bench/core/facts';
import type { GatewayRequest } from '@topo-bench/core/gateway-api';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import type { FlowItem, TopologyInput } from '@topo-bench/core/schema/topology';
import { createOracle, type RecordedRequest } from '@topo-bench/oracle';
import { deliveryKeys, roleConfigs } from '@topo-bench/services/role-configs';
import { type Graph, graphOf, planDeployment } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoleCounters } from '../packages/services/src/control/role-counters.ts';
import { SpanRecorder } from '../packages/services/src/control/span-recorder.ts';
import type { Courier } from '../packages/services/src/executor/courier.ts';
import { Decider } from '../packages/services/src/executor/decider.ts';
import { Flow } from '../packages/services/src/executor/flow.ts';
import type { FlowState, Outcome } from '../packages/services/src/executor/flow-message.ts';
import { Interpreter } from '../packages/services/src/executor/interpreter.ts';
import { EnforcedSteps } from '../packages/services/src/executor/steps.ts';
import { gatewayAnswer } from '../packages/services/src/gateway/gateway-answer.ts';

const nodes = [
  { name: 'eu-1', region: 'eu' },
  { name: 'us-1', region: 'us' },
  { name: 'eu-2', region: 'eu' },
];
const alternatives = ['x', 'y'];

/** Shapes are drawn with empty names, then named in order. */
const flowArbitrary: fc.Arbitrary<FlowItem[]> = fc
  .letrec<{ list: FlowItem[]; item: FlowItem }>((tie) => ({
    item: fc.oneof({ maxDepth: 3 }, { weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: tie('list') }),
    list: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
  }))
  .list.map((shape) => {
    let count = 0;
    const named = (items: FlowItem[]): FlowItem[] =>
      items.map((item) => (typeof item === 'string' ? `s${count++}` : named(item)));
    return named(shape);
  });
const namesIn = (items: FlowItem[]): string[] => items.flatMap((item) => (typeof item === 'string' ? [item] : namesIn(item)));

const pointer = fc.constantFrom(
  '/customer',
  '/customer/name',
  '/customer/deeper',
  '/card',
  '/items/0',
  '/items/1/sku',
  '/none/at/all',
);
const ask = (fact: 'request' | 'target' | 'flow', path: string, operator: string, ...values: unknown[]) =>
  fc.constantFrom(...values).map((value) => ({ fact, path, operator, value }));

function conditionAbout(services: readonly string[]) {
  return fc.oneof(
    { weight: 3, arbitrary: ask('target', '$.service', 'equal', ...services) },
    ask('target', '$.region', 'notEqual', 'eu', 'us'),
    ask('target', "$['tags']", 'contains', 'analytics'),
    ask('flow', '$.services', 'contains', ...services),
    ask('flow', '$.regions[1]', 'equal', 'eu', 'us'),
    ask('request', '$.consents', 'not:contains', 'odd'),
    ask('request', '$.payload.items[01].sku', 'in', ['a', 'b']),
  );
}

const world: fc.Arbitrary<{ topology: TopologyInput; rules: RulesInput }> = flowArbitrary.chain((flow) => {
  const names = [...namesIn(flow), ...alternatives];
  const condition = conditionAbout(names);
  const rule = fc.record({
    effect: fc.constantFrom('allow' as const, 'redact' as const, 'redact' as const, 'reroute' as const, 'deny' as const),
    priority: fc.integer({ min: 1, max: 3 }),
    when: fc.oneof(
      fc.tuple(condition, condition).map((all) => ({ all })),
      condition,
    ),
    perService: fc.boolean(),
    to: fc.constantFrom(...alternatives),
    redact: fc.record({
      remove: fc.array(pointer, { minLength: 1, maxLength: 2 }),
      pseudonymise: fc.array(pointer, { maxLength: 2 }),
    }),
  });
  return fc
    .record({
      node: fc.array(fc.option(fc.constantFrom(...nodes.map(({ name }) => name)), { nil: undefined }), {
        minLength: names.length,
        maxLength: names.length,
      }),
      tagged: fc.array(fc.boolean(), { minLength: names.length, maxLength: names.length }),
      gateway: fc.constantFrom(...nodes.map(({ name }) => name)),
      placement: fc.constantFrom('blocks' as const, 'round-robin' as const),
      rules: fc.array(rule, { maxLength: 6 }),
      fallback: fc.constantFrom('allow' as const, 'allow' as const, 'allow' as const, 'allow' as const, 'deny' as const),
    })
    .map(({ node, tagged, gateway, placement, rules, fallback }) => ({
      topology: {
        ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'random', nodes, gateway: { node: gateway }, placement, flow },
        services: names.map((name, i) => ({
          name,
          ...(node[i] !== undefined && { node: node[i] }),
          ...(tagged[i] && { tags: ['analytics'] }),
          ...(alternatives.includes(name) && { role: 'alternative' as const }),
        })),
        enforcement: { architecture: 'central-entity' },
      },
      rules: {
        ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'random', default: fallback },
        rules: rules.map(({ effect, priority, when, perService, to, redact }, i) => ({
          ...{ id: `rule-${i}`, effect, priority, when },
          ...(perService && { forEach: 'services' as const }),
          ...(effect === 'redact' && { redact }),
          ...(effect === 'reroute' && { to }),
        })),
      },
    }));
});

const requestArbitrary: fc.Arbitrary<GatewayRequest> = fc
  .record({
    consents: fc.subarray(['odd', 'even']),
    customer: fc.oneof(fc.string(), fc.record({ name: fc.string(), deeper: fc.string() }, { requiredKeys: [] })),
    items: fc.array(fc.record({ sku: fc.constantFrom('a', 'b', 'c') }), { maxLength: 3 }),
  })
  .map(({ consents, customer, items }) => ({
    ...{ id: 'x', class: 'order', origin: 'eu', categories: ['personal', 'payment'], consents, purpose: 'contract' },
    payload: { customer, items, card: '4000 1234' },
    fieldCategories: { customer: 'personal', items: 'personal', card: 'payment' },
  }));

/** What a role needs to follow flows, but for the network: services answer at once with what they got. */
async function follower(graph: Graph): Promise<(request: GatewayRequest) => Promise<RecordedRequest>> {
  const plan = planDeployment(graph);
  const config = roleConfigs({ graph, plan, seed: 1, secret: 'a test' }).find(
    ({ kind }) => kind === 'central-entity',
  ) as RoleConfig;
  const decider = await Decider.load(config, monotonicClock, (reason) => expect.fail(reason));
  const courier = {
    callService: async (flow: Flow, _: unknown, redacted?: RequestFacts) =>
      deliveredDigests((redacted ?? flow.request).payload, config.digestKey),
  } as unknown as Courier;
  const spans = new SpanRecorder(config.name, 0, monotonicClock);
  const steps = new EnforcedSteps(config, decider, courier, new RoleCounters(), spans);
  const interpreter = new Interpreter(config, courier, { touch: () => undefined }, steps.run);
  return async ({ id = 'x', fieldCategories = {}, ...request }) => {
    const state: FlowState = {
      ...{ id, at: config.graph.flow.start, replyTo: 'gateway', join: -1, branch: -1, done: 0, hops: 0, hopsBetweenNodes: 0 },
      ...{ steps: [], delivered: { services: [], copies: [] }, reached: [config.node], placed: {}, exposureBytes: {} },
      ...{ expiresMs: Date.now() + 60_000, dueMs: 0, from: 0 },
    };
    const { verdict, state: end } = (await interpreter.run(new Flow(state, request, fieldCategories, config.graph))) as Outcome;
    const { response } = gatewayAnswer(config.graph, end, verdict, 0, false);
    return { ...response, rule: response.rule ?? null };
  };
}

describe('the roles and the oracle', () => {
  it('follow random flows under random rules alike, with every delivery and every byte of exposure', async () => {
    const seen = { completed: 0, refused: 0, reroute: 0, redact: 0, group: 0, perService: 0, exposed: 0 };
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(requestArbitrary, { minLength: 3, maxLength: 3 }),
        async ({ topology, rules }, requests) => {
          const graph = graphOf(topology, rules);
          const follow = await follower(graph);
          const keys = deliveryKeys('a test');
          const oracle = createOracle(graph, keys);
          for (const request of requests) {
            const recorded = await follow(request);
            expect(oracle.checkRequest(request, recorded)).toEqual({ wrong: 0, reasons: [] });
            const { outcome, steps, exposureBytes: bytes = {} } = recorded;
            expect(['completed', 'refused']).toContain(outcome);
            seen[outcome as 'completed' | 'refused']++;
            if (steps.some(({ effect }) => effect === 'reroute')) seen.reroute++;
            if (steps.some(({ effect }) => effect === 'redact')) seen.redact++;
            if (steps.some(({ rule = '' }) => rule.includes('@'))) seen.perService++;
            if (Object.keys(bytes).length > 0) seen.exposed++;
            if (JSON.stringify(topology.flow).includes('],')) seen.group++;
          }
        },
      ),
      { numRuns: 600, seed: 20_261_124 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(80);
  });
});
