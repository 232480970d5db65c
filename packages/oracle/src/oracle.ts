/**
 * The oracle of a run: checks of every recorded request whether each decision, each delivery and the exposure was right. It reads rules,
 * paths, operators and flows itself, from the documents as their schemas have them. With the engines and the services it shares these
 * schemas, plain types, errors, the digest of a value, and the nodes on which services were placed.
 */
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { Delivered, GatewayRequest, StepRecord } from '@topo-bench/core/gateway-api';
import type { DeliveryKeys } from '@topo-bench/core/role-secrets';
import { checkDelivery } from './check-delivery.ts';
import { checkSteps, type Outcome, type Verdict } from './check-steps.ts';
import { asksPayload } from './conditions.ts';
import { type ExpectedFlow, expectedFlow, readWorld } from './expected-flow.ts';
import { exposureBytes } from './exposure.ts';
import { type Rules, readRules } from './read-rules.ts';
import { type OracleGraph, readServices } from './read-services.ts';
import { rightDecision } from './right-decision.ts';

/** What a run has recorded of one request. */
export interface RecordedRequest {
  steps: readonly StepRecord[];
  outcome: Outcome;
  /** Rule that the refusal named; left out or null: not checked. */
  rule?: string | null;
  /** Left out: no service of a request that ended has returned digests, which is wrong if any had to get data. */
  delivered?: Delivered;
  /** By category of data. Left out: not checked. */
  exposureBytes?: Readonly<Record<string, number>>;
}

export interface Oracle {
  /** Delivery is checked when the oracle was made with the keys of the run. */
  checkRequest(request: GatewayRequest, recorded: RecordedRequest): Verdict;
  rightDecision(facts: Facts): Decision;
  /** `exposureBytes` is by category of data. */
  expectedFlow(request: GatewayRequest): ExpectedFlow & { exposureBytes: Record<string, number> };
}

const nothingDelivered: Delivered = { services: [], copies: [] };

/** Different requests that are remembered at most. */
const remembered = 10_000;

/** @param keys of the run, for delivery */
export function createOracle(graph: OracleGraph, keys?: DeliveryKeys): Oracle {
  const world = readWorld(graph);
  const flows = new Map<string, ExpectedFlow>();
  const conditions = [...world.rules.rules.map(({ when }) => when), ...Object.values(world.rules.conditions)];
  // Payloads are the only fact that differs from request to request. Where no rule asks about them, all other facts decide the whole
  // flow, and requests alike in those need not be worked out again: 50 services with 50 rules each take their time.
  const payloadMatters = conditions.some(asksPayload);

  const flowOf = (request: GatewayRequest): ExpectedFlow => {
    if (payloadMatters) return expectedFlow(world, request);
    const key = JSON.stringify([request.class, request.origin, request.categories, request.consents, request.purpose]);
    let flow = flows.get(key);
    if (!flow) {
      flow = expectedFlow(world, request);
      if (flows.size < remembered) flows.set(key, flow);
    }
    return flow;
  };

  return {
    checkRequest: (request, { steps, outcome, rule, delivered = nothingDelivered, exposureBytes: exposed }) => {
      const flow = flowOf(request);
      const reasons = checkSteps(flow, steps, outcome, rule ?? undefined);
      const ended = outcome === 'completed' || outcome === 'refused';
      if (keys) reasons.push(...checkDelivery(flow.deliveries, delivered, request, ended, keys));
      // Which steps exposed data before an error is not known.
      if (ended && exposed) reasons.push(...compareExposure(exposureBytes(request, flow.exposures), exposed));
      return { wrong: reasons.length, reasons };
    },
    rightDecision: (facts) => rightDecision(world.rules, facts),
    expectedFlow: (request) => {
      const flow = flowOf(request);
      return { ...flow, exposureBytes: exposureBytes(request, flow.exposures) };
    },
  };
}

/** A sentence for each category whose exposure differs. */
function compareExposure(
  right: Readonly<Record<string, number>>,
  measured: Readonly<Record<string, number>>,
): string[] {
  const bytesOf = (bytes: Readonly<Record<string, number>>, name: string): number =>
    Object.hasOwn(bytes, name) ? (bytes[name] as number) : 0;
  return [...new Set([...Object.keys(right), ...Object.keys(measured)])].flatMap((category) => {
    const [due, came] = [bytesOf(right, category), bytesOf(measured, category)];
    return due === came ? [] : [`${came} B of ${JSON.stringify(category)} data were exposed, expected ${due} B`];
  });
}

/** The rules of a topology, in the oracle's own reading. */
export function rulesOf(graph: OracleGraph): Rules {
  return readRules(
    graph.source.rules,
    readServices(graph).map(({ name }) => name),
  );
}
