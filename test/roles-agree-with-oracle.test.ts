/**
 * Random topologies and rules as users write them, followed by the code of the roles without and with the network, and checked by the oracle's own
 * reading of the same documents: steps, refusals, what services received, exposure.
 */

import { monotonicClock } from '@topo-bench/core/clock';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { RequestFacts } from '@topo-bench/core/facts';
import type { GatewayRequest } from '@topo-bench/core/gateway-api';
import { architectures, engines, styles } from '@topo-bench/core/schema/topology';
import { deliveryKeys, deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import type { FlowState, Outcome } from '@topo-bench/flow';
import { Flow, gatewayAnswer } from '@topo-bench/flow';
import { createOracle, type RecordedRequest } from '@topo-bench/oracle';
import { type Graph, graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loopback } from '../packages/deployment/test/fixtures/loopback.ts';
import { RoleCounters } from '../packages/services/src/control/role-counters.ts';
import { SpanRecorder } from '../packages/services/src/control/span-recorder.ts';
import type { Courier } from '../packages/services/src/executor/courier.ts';
import { Decider } from '../packages/services/src/executor/decider.ts';
import { Interpreter } from '../packages/services/src/executor/interpreter.ts';
import { EnforcedSteps } from '../packages/services/src/executor/steps.ts';
import { deploy, fullConfigs } from '../packages/services/test/deployment.ts';
import { documentsArbitrary, requestArbitrary } from './fixtures/random-documents.ts';

/** What a role needs to follow flows, but for the network: services answer at once with what they got. */
async function follower(graph: Graph): Promise<(request: GatewayRequest) => Promise<RecordedRequest>> {
  const plan = planDeployment(graph);
  const documents = deploymentDocuments({ graph, plan, seed: 1, secret: 'a test', place: loopback });
  const config = fullConfigs(documents).find(({ kind }) => kind === 'central-entity')!;
  const decider = await Decider.load(config, monotonicClock, (reason) => expect.fail(reason));
  const courier = {
    callService: async (flow: Flow, _: unknown, redacted?: RequestFacts) =>
      deliveredDigests((redacted ?? flow.request).payload, config.secrets.digestKey),
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
        documentsArbitrary,
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

  it('agree over HTTP too, under every architecture and in both styles', { timeout: 120_000 }, async () => {
    const enforcement = fc.record({
      architecture: fc.constantFrom(...architectures),
      style: fc.constantFrom(...styles),
      engine: fc.constantFrom(...engines),
      routers: fc.integer({ min: 1, max: 5 }),
    });
    const requests = fc.array(requestArbitrary, { minLength: 10, maxLength: 10 });
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(documentsArbitrary, enforcement, requests, async ({ topology, rules }, enforced, sent) => {
        const deployment = await deploy(graphOf({ ...topology, enforcement: enforced }, rules));
        try {
          const oracle = createOracle(deployment.graph, deployment.configs[0]?.secrets);
          await Promise.all(
            sent.map(async (request, i) => {
              const { body } = await deployment.send({ ...request, id: `request-${i}` });
              expect(oracle.checkRequest(request, body)).toEqual({ wrong: 0, reasons: [] });
              for (const what of [enforced.architecture, enforced.style, body.outcome]) seen.set(what, (seen.get(what) ?? 0) + 1);
            }),
          );
        } finally {
          await deployment.close();
        }
      }),
      { numRuns: 60, seed: 20_261_126, endOnFailure: true },
    );
    for (const what of [...architectures, ...styles, 'completed', 'refused']) expect(seen.get(what), what).toBeGreaterThan(60);
    expect(seen.get('error')).toBeUndefined();
  });
});
