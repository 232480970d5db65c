/**
 * The end of a parallel group: steps, deliveries, counts and exposure of the branches return to the flow, in file
 * order.
 */
import { mergeDeliveries } from './deliveries.ts';
import { addBytes, mergeCopies } from './exposure.ts';
import type { FlowState, Outcome, Verdict } from './messages.ts';

/**
 * Adds the branches' steps, counts and exposure to the state that they forked from.
 * @param outcomes in file order
 * @returns the verdict of the group. An error outranks a refusal: with an unfinished branch the first refusal is
 * unknown. Among several of a kind the first in file order is named.
 */
export function mergeBranches(into: FlowState, outcomes: readonly Outcome[]): Verdict {
  const shared = into.steps.length;
  const deliveredBefore = into.delivered.services.length;
  const doneBefore = into.done;
  for (const { state } of outcomes) {
    for (let i = shared; i < state.steps.length; i++) into.steps.push(state.steps[i] as number);
    mergeDeliveries(into.delivered, state.delivered, deliveredBefore);
    into.done += state.done - doneBefore;
    into.hops += state.hops;
    into.hopsBetweenNodes += state.hopsBetweenNodes;
    for (const node of state.reached) if (!into.reached.includes(node)) into.reached.push(node);
    mergeCopies(into.placed, state.placed);
    for (const [category, bytes] of Object.entries(state.exposureBytes)) addBytes(into.exposureBytes, category, bytes);
  }
  const verdicts = outcomes.map(({ verdict }) => verdict);
  return (
    verdicts.find(({ kind }) => kind === 'error') ??
    verdicts.find(({ kind }) => kind === 'refused') ?? { kind: 'completed' }
  );
}
