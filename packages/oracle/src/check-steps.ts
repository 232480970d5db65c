/** Compares recorded steps with the expected ones. */
import type { StepRecord } from '@topo-bench/core/gateway-api';
import type { ExpectedFlow, ExpectedStep } from './expected-flow.ts';

/** Outcome of a request: the gateway's, or `unfinished` without a response. */
export type Outcome = 'completed' | 'refused' | 'error' | 'unfinished';

export interface Verdict {
  /**
   * Number of errors: decisions with a wrong effect or rule, missing or superfluous ones, a wrong outcome, wrong
   * deliveries, wrong exposure.
   */
  wrong: number;
  /** A sentence for each error. */
  reasons: string[];
  /** Steps that passed without a decision; absent without any. */
  undecided?: { steps: number; exposedBytes: Record<string, number> };
}

/**
 * Returns a sentence for each difference between recorded and expected steps. A failed or unfinished request may lack
 * steps at the end of a series; skipped steps are errors.
 * @param refusedBy rule named by the refusal; default: not checked
 */
export function checkSteps(
  expected: ExpectedFlow,
  recorded: readonly StepRecord[],
  outcome: Outcome,
  refusedBy?: string,
): string[] {
  const reasons: string[] = [];
  const done = new Set<number>();
  let next = 0;
  for (const step of recorded) {
    let at = next;
    while (at < expected.steps.length && expected.steps[at]?.service !== step.service) at++;
    if (at === expected.steps.length) {
      reasons.push(`${describe(step)} is superfluous or out of order`);
      continue;
    }
    next = at + 1;
    done.add(at);
    const right = expected.steps[at] as ExpectedStep;
    if (right.effect !== step.effect || right.rule !== step.rule)
      reasons.push(`${describe(step)}, expected ${describe(right)}`);
  }
  const ended = outcome === 'completed' || outcome === 'refused';
  const isSkipped = (i: number): boolean =>
    expected.steps.some(({ after }, later) => done.has(later) && after.includes(i));
  expected.steps.forEach((step, i) => {
    if (!done.has(i) && (ended || isSkipped(i))) reasons.push(`${describe(step)} is missing`);
  });
  if (ended && outcome !== expected.outcome) reasons.push(`the request was ${outcome}, expected ${expected.outcome}`);
  if (outcome === 'refused' && refusedBy !== undefined && expected.refusal && expected.refusal.rule !== refusedBy) {
    reasons.push(`refused by ${refusedBy}, expected ${expected.refusal.rule ?? 'the default effect'}`);
  }
  return reasons;
}

function describe({ service, effect, rule }: StepRecord): string {
  return `${service}: ${effect} by ${rule ?? 'the default effect'}`;
}
