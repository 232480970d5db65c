/**
 * Selects the rules that some payload could meet, when all other facts of a call are known, and those that every one
 * meets.
 */
import type { ExpandedRule, Facts, RuleSet } from '@topo-bench/core';
import { type Operand, operandValue, resolveConditions } from './expression.ts';
import { type Bind, evaluateWith } from './partial-evaluation.ts';

/** The facts of a call; its payload is unknown. */
export type KnownFacts = Omit<Facts, 'request'> & { readonly request: Omit<Facts['request'], 'payload'> };

/**
 * Returns a function from the facts of a call to the rules that these facts do not make false. A rule may be among them
 * without a payload that meets it: `status = open` and `status = paid` at once is not recognised. O(rules).
 * @param ruleSet one that `checkRules` accepts
 */
export function possibleRules({ rules, conditions }: RuleSet): (facts: KnownFacts) => ExpandedRule[] {
  const expressions = resolveConditions(
    rules.map(({ when }) => when),
    conditions,
  );
  return (facts) => {
    const bind: Bind = (operand) =>
      'literal' in operand || readsPayload(operand) ? operand : { literal: operandValue(operand, facts as Facts) };
    return rules.filter((_, i) => evaluateWith(expressions[i] as (typeof expressions)[number], bind) !== false);
  };
}

/**
 * Returns a function from facts to the rules that they meet whatever the unknown members of the request are. O(rules).
 * @param ruleSet one that `checkRules` accepts
 */
export function certainRules({
  rules,
  conditions,
}: RuleSet): (facts: Facts, isUnknown: (requestPath: readonly string[]) => boolean) => ExpandedRule[] {
  const expressions = resolveConditions(
    rules.map(({ when }) => when),
    conditions,
  );
  return (facts, isUnknown) => {
    const bind: Bind = (operand) =>
      'literal' in operand || (operand.fact === 'request' && isUnknown(operand.path))
        ? operand
        : { literal: operandValue(operand, facts) };
    return rules.filter((_, i) => evaluateWith(expressions[i] as (typeof expressions)[number], bind) === true);
  };
}

/** The payload, a member of it, or the request as a whole. */
function readsPayload(operand: Operand): boolean {
  if ('literal' in operand || operand.fact !== 'request') return false;
  const [first = 'payload'] = operand.path;
  return first === 'payload';
}
