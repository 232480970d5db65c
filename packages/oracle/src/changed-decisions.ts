/** The decisions of a request that change from one rule set to another. */
import type { Effect } from '@topo-bench/core/schema/rules';
import type { ExpectedFlow } from './expected-flow.ts';

/** What a rule set decides for a service. */
export interface DecidedStep {
  effect: Effect;
  /** Absent where the default effect decides. */
  rule?: string;
  /** JSON pointers, sorted. */
  remove: string[];
  pseudonymise: string[];
}

export interface ChangedStep {
  service: string;
  before: DecidedStep;
  after: DecidedStep;
}

type Flow = Pick<ExpectedFlow, 'steps' | 'deliveries'>;

/**
 * The steps with another effect or other redactions, in flow order. Another rule with the same effect is no change.
 * Steps that only one of the flows reaches are left out: they follow from a change before them.
 */
export function changedSteps(before: Flow, after: Flow): ChangedStep[] {
  const later = new Map(decidedSteps(after).map(({ key, step }) => [key, step]));
  return decidedSteps(before).flatMap(({ key, service, step }) => {
    const now = later.get(key);
    return now && !isAlike(step, now) ? [{ service, before: step, after: now }] : [];
  });
}

/** By service, and number of its earlier visits. */
function decidedSteps({ steps, deliveries }: Flow): { key: string; service: string; step: DecidedStep }[] {
  const visits = new Map<string, number>();
  const given = new Map<string, number>();
  return steps.map(({ service, effect, rule }) => {
    const visit = visits.get(service) ?? 0;
    visits.set(service, visit + 1);
    const isGiven = effect === 'allow' || effect === 'redact';
    const delivery = given.get(service) ?? 0;
    if (isGiven) given.set(service, delivery + 1);
    const copy = isGiven ? deliveries.filter((one) => one.service === service)[delivery] : undefined;
    const remove = [...new Set(copy?.remove)].sort();
    const pseudonymise = [...new Set(copy?.pseudonymise)].sort();
    const step = { effect, ...(rule !== undefined && { rule }), remove, pseudonymise };
    return { key: `${service} ${visit}`, service, step };
  });
}

function isAlike(one: DecidedStep, other: DecidedStep): boolean {
  const essence = ({ effect, remove, pseudonymise }: DecidedStep): string =>
    JSON.stringify([effect, remove, pseudonymise]);
  return essence(one) === essence(other);
}
