/** Counts over the requests of a repetition: outcomes, errors, decisions, exposure and hops. */
import type { Sample } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';

export type SampleCounts = Pick<Cell, 'outcomes' | 'errors' | 'unfinished' | 'decisions' | 'exposureBytes' | 'hops'>;

/** @param wrong number of errors that the oracle found */
export function countSamples(samples: readonly Sample[], wrong: number): SampleCounts {
  const outcomes: Cell['outcomes'] = { completed: 0, refused: 0, error: 0, unfinished: 0 };
  const errors = newCounts();
  const decisions: Cell['decisions'] = { allow: 0, deny: 0, redact: 0, reroute: 0, wrong, byRule: newCounts() };
  const exposureBytes = newCounts();
  const hops = { all: 0, betweenNodes: 0 };
  for (const sample of samples) {
    outcomes[sample.outcome]++;
    if (sample.error !== null) add(errors, sample.error, 1);
    for (const { effect, rule, undecided } of sample.steps) {
      if (undecided) continue;
      decisions[effect]++;
      if (rule !== undefined) add(decisions.byRule, rule, 1);
    }
    for (const [category, bytes] of Object.entries(sample.exposureBytes)) add(exposureBytes, category, bytes);
    if (sample.outcome === 'completed') {
      hops.all += sample.hops ?? 0;
      hops.betweenNodes += sample.hopsBetweenNodes ?? 0;
    }
  }
  const completed = Math.max(1, outcomes.completed);
  return {
    outcomes,
    errors,
    unfinished: outcomes.unfinished,
    decisions,
    exposureBytes,
    hops: { perRequest: hops.all / completed, betweenNodesPerRequest: hops.betweenNodes / completed },
  };
}

/** Errors by kind; requests that did not end have none. */
export function countErrors(samples: Iterable<Pick<Sample, 'outcome' | 'error'>>): Record<string, number> {
  const errors = newCounts();
  for (const { outcome, error } of samples) if (outcome === 'error') add(errors, error ?? 'unknown', 1);
  return errors;
}

/** No prototype: categories and rules may have any name. */
function newCounts(): Record<string, number> {
  return Object.create(null);
}

function add(counts: Record<string, number>, key: string, count: number): void {
  counts[key] = (counts[key] ?? 0) + count;
}
