/**
 * The kind of a request: all that determines what happens to it, apart from time. Requests of one kind have one trace.
 * Two payloads are of one kind if their texts have the same lengths and the same comparisons of rules hold for both:
 * rules read nothing else of a payload.
 */
import {
  type ExpandedRule,
  type GatewayRequest,
  isFactValue,
  parseRulePath,
  type RuleSet,
  utf8Length,
} from '@topo-bench/core';
import { createEngine } from '@topo-bench/rule-engine/compiled/engine';

type Comparison = ExpandedRule['when'] & { fact: string; path?: string; value: unknown };

/** Returns the key of a request's kind: equal for requests of one kind. */
export function requestKinds(ruleSets: readonly RuleSet[]): (request: GatewayRequest) => string {
  const comparisons = payloadComparisons(ruleSets);
  // A comparison with the target or the flow may hold at one step only: each value is then a kind of its own.
  const readsValues = comparisons.some((comparison) => operandsOf(comparison).some(({ fact }) => fact !== 'request'));
  const holding = readsValues ? () => [] : comparisonsThatHold(comparisons);
  return (request) => {
    const { id: _, payload, ...facts } = request;
    if (readsValues) return JSON.stringify([facts, payload]);
    const sizes = Object.entries(payload).map(([field, value]) => {
      return [field, typeof value === 'string' ? utf8Length(value) : [value]];
    });
    return JSON.stringify([facts, sizes, holding(request)]);
  };
}

/** The rule engine itself decides which comparisons hold: one rule for each of them. */
function comparisonsThatHold(comparisons: readonly Comparison[]): (request: GatewayRequest) => readonly string[] {
  if (comparisons.length === 0) return () => [];
  const target = { service: '', node: '', region: '', tags: [] };
  const flow = { services: [], regions: [] };
  const rules = comparisons.map((when, index): ExpandedRule => {
    const nothing = { remove: [], pseudonymise: [], to: undefined };
    return { ...nothing, index, id: String(index), priority: 0, when, effect: 'allow' };
  });
  const engine = createEngine({ default: 'deny', conditions: {}, rules }, [target]);
  return (request) => engine.decide({ request, target, flow }).rules;
}

/** The different comparisons that read a value of the payload, or the whole request. */
function payloadComparisons(ruleSets: readonly RuleSet[]): Comparison[] {
  const found = new Map<string, Comparison>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('operator' in part && 'fact' in part) {
      const comparison = part as Comparison;
      if (operandsOf(comparison).some(readsPayload)) found.set(JSON.stringify(comparison), comparison);
    } else Object.values(part).forEach(visit);
  };
  for (const { conditions, rules } of ruleSets) {
    visit(conditions);
    for (const { when } of rules) visit(when);
  }
  return [...found.values()];
}

function operandsOf(comparison: Comparison): { fact: string; path?: string }[] {
  return isFactValue(comparison.value) ? [comparison, comparison.value] : [comparison];
}

function readsPayload({ fact, path = '$' }: { fact: string; path?: string }): boolean {
  const [first = 'payload'] = parseRulePath(path) ?? [];
  return fact === 'request' && first === 'payload';
}
