/** Recorded steps held against the expected ones. */
import type { StepRecord } from '@topo-bench/core/gateway-api';
import type { ExpectedFlow, ExpectedStep } from './expected-flow.ts';

/** How a request ended: the gateway's outcome, or `unfinished` when no answer came. */
export type Outcome = 'completed' | 'refused' | 'error' | 'unfinished';

export interface Verdict {
  /**
   * Decisions that differ in effect or rule, are missing, superfluous or out of order; an ending that does not follow; services that
   * received something else than they had to; exposure that differs.
   */
  wrong: number;
  /** One sentence for each. */
  reasons: string[];
}

/**
 * Compares the recorded steps with those that are right, and returns a sentence for each difference. A request that ended in an error or not at all may lack steps, but only
 * at the end of a series: no step may have been passed over.
 * @param refusedBy rule that the refusal named, when that is to be checked
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
  const passedOver = (i: number): boolean =>
    expected.steps.some(({ after }, later) => done.has(later) && after.includes(i));
  expected.steps.forEach((step, i) => {
    if (!done.has(i) && (ended || passedOver(i))) reasons.push(`${describe(step)} is missing`);
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
