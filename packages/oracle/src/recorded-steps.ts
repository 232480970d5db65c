/** The recorded steps of a request, by their services. Some may have passed without a decision. */
import { type Decision, type Facts, noRule } from '@topo-bench/core/facts';
import type { GatewayRequest, StepRecord } from '@topo-bench/core/gateway-api';
import type { DecisionOfPoint, World } from './expected-flow.ts';
import { exposureBytes, type Withheld } from './exposure.ts';

/** Takes a step without a decision. */
export const passed: Decision = {
  ...{ effect: 'allow', rule: undefined, ruleIndex: noRule, rules: [] },
  ...{ remove: [], pseudonymise: [], to: undefined },
};

/**
 * Records are in the order of the flow, and a failed request lacks some. A branch without a record may visit the same
 * alternative as the next one, so names alone do not find the record of a visit.
 * @returns the recorded step of the next visit, in the order of the flow; undefined for one that is not recorded
 */
export function recordedByVisit(steps: readonly StepRecord[]): (service: string) => StepRecord | undefined {
  let next = 0;
  return (service) => (steps[next]?.service === service ? steps[next++] : undefined);
}

export function withheldBy({ effect, remove, pseudonymise }: Decision): Withheld {
  return effect === 'deny' || effect === 'reroute' ? 'everything' : [...remove, ...pseudonymise];
}

/** Steps that passed without a decision, and what they let through. */
export class UndecidedSteps {
  steps = 0;
  /** By category: data that the rules would have withheld. */
  readonly exposedBytes: Record<string, number> = Object.create(null);

  /** @param due the right decision */
  add(request: GatewayRequest, due: Decision): void {
    this.steps++;
    const bytes = exposureBytes(request, [{ withheld: withheldBy(due), permittedCopies: [] }]);
    for (const [category, count] of Object.entries(bytes))
      this.exposedBytes[category] = (this.exposedBytes[category] ?? 0) + count;
  }

  /** A sentence where no step may pass; empty where it may. */
  faults(failsOpen: boolean): string[] {
    return this.steps === 0 || failsOpen ? [] : [`${this.steps} steps passed without a decision`];
  }
}

/** The decision of a step by the point that is recorded for it. */
export function byRecordedPoint(decision: Decision, step: StepRecord | undefined): DecisionOfPoint {
  return step?.takenOver ? { ...decision, takenOver: true } : decision;
}

/** A sentence for each step that was taken over where no other point decides for its service. */
export function takeoverFaults(steps: readonly StepRecord[], { services, takeoverNode }: World): string[] {
  return steps.flatMap(({ service: name, takenOver }) => {
    const service = services.get(name);
    if (!takenOver || (service && takeoverNode(service) !== undefined)) return [];
    return [`${name}: decided by another enforcement point, and none takes over`];
  });
}

/** Decides as the rules do, except where a recorded step passed without a decision. */
export function decidesAsRecorded(
  steps: readonly StepRecord[],
  right: (facts: Facts) => Decision,
  undecided: UndecidedSteps,
  request: GatewayRequest,
): (facts: Facts) => DecisionOfPoint {
  const recorded = recordedByVisit(steps);
  return (facts) => {
    const due = right(facts);
    const step = recorded(facts.target.service);
    if (step?.undecided) undecided.add(request, due);
    return byRecordedPoint(step?.undecided ? passed : due, step);
  };
}
