/** The answer to the client: the outcome of the flow with names instead of indexes, and its HTTP status. */
import type { Delivered, DeploymentGraph, GatewayResponse, StepRecord } from '@topo-bench/core';
import type { DeliveryState } from './deliveries.ts';
import { effectOf, type FlowState, isTakenOver, undecidedRule, type Verdict, versionOf } from './messages.ts';

export interface GatewayAnswer {
  status: number;
  response: GatewayResponse;
}

/** Ids of rules by index, for each version of the rule set. */
export type RuleIds = readonly (readonly string[])[];

/** @param pastDeadline the gateway's deadline for the whole request expired */
export function gatewayAnswer(
  graph: DeploymentGraph,
  state: FlowState,
  verdict: Verdict,
  rttUs: number,
  pastDeadline: boolean,
  ruleIds: RuleIds = [graph.ruleIds],
): GatewayAnswer {
  const response: GatewayResponse = {
    id: state.id,
    outcome: verdict.kind,
    rttUs: Math.round(rttUs),
    ...verdictFields(graph, verdict, ruleIds),
    ...(pastDeadline && { pastDeadline }),
    steps: stepRecords(graph, state.steps, ruleIds),
    delivered: deliveredRecord(graph, state.delivered),
    hops: state.hops,
    hopsBetweenNodes: state.hopsBetweenNodes,
    exposureBytes: state.exposureBytes,
  };
  return { status: statusOf(verdict), response };
}

function verdictFields(graph: DeploymentGraph, verdict: Verdict, ruleIds: RuleIds): Partial<GatewayResponse> {
  switch (verdict.kind) {
    case 'completed':
      return {};
    case 'refused': {
      const rule = ruleIds[verdict.version ?? 0]?.[verdict.rule];
      const service = graph.services[verdict.service]?.name ?? '';
      return { ...(rule === undefined ? {} : { rule }), service };
    }
    case 'error':
      return { error: verdict.error, message: verdict.message };
  }
}

function stepRecords(graph: DeploymentGraph, steps: readonly number[], ruleIds: RuleIds): StepRecord[] {
  const records: StepRecord[] = [];
  for (let i = 0; i < steps.length; i += 3) {
    const service = graph.services[steps[i] as number]?.name ?? '';
    const code = steps[i + 1] as number;
    const version = versionOf(code);
    const rule = ruleIds[version]?.[steps[i + 2] as number];
    records.push({
      service,
      effect: effectOf(code),
      ...(rule !== undefined && { rule }),
      ...(version > 0 && { version }),
      ...(steps[i + 2] === undecidedRule && { undecided: true }),
      ...(isTakenOver(code) && { takenOver: true }),
    });
  }
  return records;
}

function deliveredRecord(graph: DeploymentGraph, { services, copies }: DeliveryState): Delivered {
  const records: Delivered['services'] = [];
  for (let i = 0; i < services.length; i += 2) {
    records.push({ service: graph.services[services[i] as number]?.name ?? '', copy: services[i + 1] as number });
  }
  return { services: records, copies };
}

/** 451: RFC 7725. */
function statusOf(verdict: Verdict): number {
  if (verdict.kind === 'completed') return 200;
  if (verdict.kind === 'refused') return 451;
  return verdict.error.startsWith('deadline:') ? 504 : 503;
}
