/** Evaluates conditions of a rule file over facts, directly and without compilation. */
import { TopoBenchError } from '@topo-bench/core/errors';
import type { Facts } from '@topo-bench/core/facts';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { holds } from './operators.ts';
import { pathSteps } from './rule-path.ts';

/**
 * Whether a condition is met. Empty `all` and `any` are met, as in json-rules-engine.
 * @param named the rule set's named conditions
 * @throws TopoBenchError `TB_RULES_UNKNOWN_CONDITION`, `TB_RULES_UNKNOWN_OPERATOR`, `TB_RULES_PATH`
 */
export function isMet(condition: Condition, facts: Facts, named: Readonly<Record<string, Condition>>): boolean {
  if ('all' in condition) return condition.all.every((each) => isMet(each, facts, named));
  if ('any' in condition) return condition.any.length === 0 || condition.any.some((each) => isMet(each, facts, named));
  if ('not' in condition) return !isMet(condition.not, facts, named);
  if ('condition' in condition) {
    const referred = Object.hasOwn(named, condition.condition) ? named[condition.condition] : undefined;
    if (referred) return isMet(referred, facts, named);
    throw new TopoBenchError('TB_RULES_UNKNOWN_CONDITION', `unknown condition ${JSON.stringify(condition.condition)}`);
  }
  return holds(condition.operator, factValue(facts, condition.fact, condition.path), comparisonValue(facts, condition));
}

/** The value of a fact, or of its member at a path; undefined when it does not exist. */
function factValue(facts: Facts, fact: string, path: string | undefined): unknown {
  let value: unknown = Object.hasOwn(facts, fact) ? facts[fact as keyof Facts] : undefined;
  for (const step of pathSteps(path ?? '$')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The literal value of the condition, or the value of the fact that `{ fact, path }` refers to. */
function comparisonValue(facts: Facts, { value }: Comparison): unknown {
  const reference = factReference(value);
  return reference ? factValue(facts, reference.fact, reference.path) : value;
}

interface FactReference {
  fact: string;
  path?: string;
}

function factReference(value: unknown): FactReference | undefined {
  const isReference = typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
  return isReference ? (value as FactReference) : undefined;
}

/** Whether a condition depends on the payload: all of it, a field, or the request as a whole. */
export function asksPayload(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(asksPayload);
  if ('any' in condition) return condition.any.some(asksPayload);
  if ('not' in condition) return asksPayload(condition.not);
  // Named conditions are checked at their definition.
  if ('condition' in condition) return false;
  return [condition, factReference(condition.value)].some(
    (asked) => asked?.fact === 'request' && (pathSteps(asked.path ?? '$')[0] ?? 'payload') === 'payload',
  );
}
