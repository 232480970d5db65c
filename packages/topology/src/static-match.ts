/**
 * Whether a rule could ever apply to a target: what a target's static facts (service, node, region, tags) already decide,
 * in three-valued logic. Used for planning only: where it cannot tell it says so, and the plan then allows for the rule.
 */
import { parseOperator, parseRulePath, type RuleSet, type TargetFacts } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';

type Truth = true | false | 'unknown';

/** False when no request whatsoever makes the condition true for the target. */
export function couldHold(condition: Condition, target: TargetFacts, named: RuleSet['conditions']): boolean {
  return truth(condition, target, named) !== false;
}

function truth(condition: Condition, target: TargetFacts, named: RuleSet['conditions']): Truth {
  if ('all' in condition) return all(condition.all.map((part) => truth(part, target, named)));
  // json-rules-engine holds an empty `any` true, as it does an empty `all`.
  if ('any' in condition) {
    return condition.any.length === 0 || negated(all(condition.any.map((part) => negated(truth(part, target, named)))));
  }
  if ('not' in condition) return negated(truth(condition.not, target, named));
  if ('condition' in condition) {
    const referred = named[condition.condition];
    return referred ? truth(referred, target, named) : 'unknown';
  }
  return compare(condition, target);
}

function all(parts: readonly Truth[]): Truth {
  if (parts.includes(false)) return false;
  return parts.includes('unknown') ? 'unknown' : true;
}

function negated(value: Truth): Truth {
  return value === 'unknown' ? value : !value;
}

function compare({ fact, path, operator, value }: Comparison, target: TargetFacts): Truth {
  const [member, ...deeper] = (path !== undefined && parseRulePath(path)) || [];
  const parsed = parseOperator(operator);
  const isReference = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (fact !== 'target' || member === undefined || deeper.length > 0 || isReference || !parsed || parsed.decorators.length > 0) {
    return 'unknown';
  }
  const known = (target as unknown as Record<string, unknown>)[member];
  switch (parsed.base) {
    case 'equal':
      return known === value;
    case 'notEqual':
      return known !== value;
    case 'in':
      return Array.isArray(value) ? value.includes(known) : 'unknown';
    case 'notIn':
      return Array.isArray(value) ? !value.includes(known) : 'unknown';
    case 'contains':
      return Array.isArray(known) && known.includes(value);
    case 'doesNotContain':
      return Array.isArray(known) && !known.includes(value);
    default:
      return 'unknown';
  }
}
