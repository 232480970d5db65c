/**
 * The oracle of a run: checks the decisions, deliveries and exposure of recorded requests. It has its own readers of
 * rules, paths, operators and flows. It shares with engines and services only schemas, plain types, errors, the digest
 * of a value, and the placement of services.
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
import { decidesAsRecorded, takeoverFaults, UndecidedSteps } from './recorded-steps.ts';
import { rightDecision } from './right-decision.ts';

/** Recorded data of one request. */
export interface RecordedRequest {
  steps: readonly StepRecord[];
  outcome: Outcome;
  /** Rule named by the refusal; absent or null: not checked. */
  rule?: string | null;
  /** Absent: no service returned digests, an error if one had to receive data and the request ended. */
  delivered?: Delivered;
  /** By category of data; absent: not checked. */
  exposureBytes?: Readonly<Record<string, number>>;
}

export interface Oracle {
  /** Checks deliveries only if the oracle has the keys of the run. */
  checkRequest(request: GatewayRequest, recorded: RecordedRequest): Verdict;
  rightDecision(facts: Facts): Decision;
  /** `exposureBytes` is by category of data. */
  expectedFlow(request: GatewayRequest): ExpectedFlow & { exposureBytes: Record<string, number> };
}

export const nothingDelivered: Delivered = { services: [], copies: [] };

/** Max flows in the cache. */
const maxCached = 10_000;

/** @param keys keys of the run, for checks of deliveries */
export function createOracle(graph: OracleGraph, keys?: DeliveryKeys): Oracle {
  const world = readWorld(graph);
  const flows = new Map<string, ExpectedFlow>();
  const conditions = [...world.rules.rules.map(({ when }) => when), ...Object.values(world.rules.conditions)];
  // Payloads differ in every request. If no rule depends on them, requests with equal other facts have the same flow.
  // It is cached: 50 services with 50 rules each are slow to evaluate.
  const payloadMatters = conditions.some(asksPayload);

  const flowOf = (request: GatewayRequest): ExpectedFlow => {
    if (payloadMatters) return expectedFlow(world, request);
    const { class: kind, origin, categories, consents, purpose, fieldCategories = {} } = request;
    const key = JSON.stringify([kind, origin, categories, consents, purpose, Object.values(fieldCategories)]);
    let flow = flows.get(key);
    if (!flow) {
      flow = expectedFlow(world, request);
      if (flows.size < maxCached) flows.set(key, flow);
    }
    return flow;
  };

  return {
    checkRequest: (request, { steps, outcome, rule, delivered = nothingDelivered, exposureBytes: exposed }) => {
      const undecided = new UndecidedSteps();
      const hasUndecided = steps.some((step) => step.undecided);
      const right = (facts: Facts): Decision => rightDecision(world.rules, facts);
      const flow =
        hasUndecided || steps.some((step) => step.takenOver)
          ? expectedFlow(world, request, decidesAsRecorded(steps, right, undecided, request))
          : flowOf(request);
      const reasons = [...undecided.faults(world.failsOpen), ...takeoverFaults(steps, world)];
      reasons.push(...checkSteps(flow, steps, outcome, rule ?? undefined));
      const ended = outcome === 'completed' || outcome === 'refused';
      if (keys) reasons.push(...checkDelivery(flow.deliveries, delivered, request, ended, keys));
      // After an error it is unknown which steps had exposed data.
      if (ended && exposed) reasons.push(...compareExposure(exposureBytes(request, flow.exposures), exposed));
      return { wrong: reasons.length, reasons, ...(hasUndecided && { undecided }) };
    },
    rightDecision: (facts) => rightDecision(world.rules, facts),
    expectedFlow: (request) => {
      const flow = flowOf(request);
      return { ...flow, exposureBytes: exposureBytes(request, flow.exposures) };
    },
  };
}

/** A sentence for each category whose exposure differs. */
export function compareExposure(
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

/** The rules of a topology, by the oracle's own reader. */
export function rulesOf(graph: OracleGraph): Rules {
  return readRules(
    graph.source.rules,
    readServices(graph).map(({ name }) => name),
  );
}
