/**
 * The oracle of a run: says of every recorded request whether each of its decisions was right. It shares with the rule
 * engines the facts and the list of operators, and nothing else.
 */
import type { Decision, Facts, GatewayRequest, StepRecord } from '@topo-bench/core';
import type { DeploymentPlan, Graph } from '@topo-bench/topology';
import { checkSteps, type Outcome, type Verdict } from './check-steps.ts';
import { asksPayload } from './conditions.ts';
import { type ExpectedFlow, expectedFlow } from './expected-flow.ts';
import { exposureBytes } from './exposure.ts';
import { rightDecision } from './right-decision.ts';

export interface Oracle {
  /** @param refusedBy rule that the refusal named, when that is to be checked too */
  checkRequest(request: GatewayRequest, steps: readonly StepRecord[], outcome: Outcome, refusedBy?: string): Verdict;
  rightDecision(facts: Facts): Decision;
  /** `exposureBytes` is by category of data, and empty when the oracle was made without a deployment plan. */
  expectedFlow(request: GatewayRequest): ExpectedFlow & { exposureBytes: Record<string, number> };
}

/** Different requests that are remembered at most. */
const remembered = 10_000;

export function createOracle(graph: Graph, plan?: DeploymentPlan): Oracle {
  const flows = new Map<string, ExpectedFlow>();
  const conditions = [...graph.rules.rules.map(({ when }) => when), ...Object.values(graph.rules.conditions)];
  // Payloads are the only fact that differs from request to request. Where no rule asks about them, all other facts decide the whole
  // flow, and requests alike in those need not be worked out again: 50 services with 50 rules each take their time.
  const payloadMatters = conditions.some(asksPayload);

  const flowOf = (request: GatewayRequest): ExpectedFlow => {
    if (payloadMatters) return expectedFlow(graph, plan, request);
    const key = JSON.stringify([request.class, request.origin, request.categories, request.consents, request.purpose]);
    let flow = flows.get(key);
    if (!flow) {
      flow = expectedFlow(graph, plan, request);
      if (flows.size < remembered) flows.set(key, flow);
    }
    return flow;
  };

  return {
    checkRequest: (request, steps, outcome, refusedBy) => checkSteps(flowOf(request), steps, outcome, refusedBy),
    rightDecision: (facts) => rightDecision(graph.rules, facts),
    expectedFlow: (request) => {
      const flow = flowOf(request);
      return { ...flow, exposureBytes: exposureBytes(request, flow.exposures) };
    },
  };
}

/** Bytes of refused data, by category, that reach a node that must not have them; per the plan's places of enforcement. */
export function expectedExposure(request: GatewayRequest, graph: Graph, plan: DeploymentPlan): Record<string, number> {
  return exposureBytes(request, expectedFlow(graph, plan, request).exposures);
}
