/**
 * Splits rules by whether their conditions read the payload. The rules without the payload can be decided before an
 * item is known.
 */
import { type ExpandedRule, isFactValue, parseRulePath, type RuleSet } from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';

export interface SplitRules {
  /** Rules on facts of the call and of the target. */
  withoutPayload: RuleSet;
  /** Rules that read the item. */
  payloadRules: ExpandedRule[];
}

export function splitByPayload(ruleSet: RuleSet): SplitRules {
  const asks = (rule: ExpandedRule): boolean => asksPayload(rule.when, ruleSet.conditions);
  return {
    withoutPayload: { ...ruleSet, rules: ruleSet.rules.filter((rule) => !asks(rule)) },
    payloadRules: ruleSet.rules.filter(asks),
  };
}

function asksPayload(condition: Condition, named: RuleSet['conditions']): boolean {
  if ('all' in condition) return condition.all.some((part) => asksPayload(part, named));
  if ('any' in condition) return condition.any.some((part) => asksPayload(part, named));
  if ('not' in condition) return asksPayload(condition.not, named);
  if ('condition' in condition) {
    const referred = named[condition.condition];
    return referred !== undefined && asksPayload(referred, named);
  }
  const { fact, path, value } = condition;
  return isPayload(fact, path) || (isFactValue(value) && isPayload(value.fact, value.path));
}

/** The payload, a member of it, or the request as a whole. */
function isPayload(fact: string, path: string | undefined): boolean {
  const [first = 'payload'] = parseRulePath(path ?? '$') ?? [];
  return fact === 'request' && first === 'payload';
}
