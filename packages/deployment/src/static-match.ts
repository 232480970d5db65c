/**
 * Whether a rule can apply to a target: evaluates a condition over the target's static facts (service, node, region,
 * tags) in three-valued logic. Used for planning only: an undecided result counts as a possible match.
 */
import { parseOperator, parseRulePath, type RuleSet, type TargetFacts } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';

type Truth = true | false | 'unknown';
type Test = (target: TargetFacts) => Truth;

/**
 * Prepares a condition once for many targets.
 * @param named conditions that it may refer to, free of circles
 * @returns a test that is false when no request can make the condition true for the target
 */
export function couldHold(condition: Condition, named: RuleSet['conditions']): (target: TargetFacts) => boolean {
  const test = prepare(condition, named);
  return (target) => test(target) !== false;
}

function prepare(condition: Condition, named: RuleSet['conditions']): Test {
  if ('all' in condition) return all(condition.all.map((part) => prepare(part, named)));
  if ('any' in condition) {
    // json-rules-engine treats an empty `any` as true, like an empty `all`.
    if (condition.any.length === 0) return () => true;
    return not(all(condition.any.map((part) => not(prepare(part, named)))));
  }
  if ('not' in condition) return not(prepare(condition.not, named));
  if ('condition' in condition) {
    const referred = named[condition.condition];
    return referred ? prepare(referred, named) : unknown;
  }
  return compare(condition);
}

function all(tests: readonly Test[]): Test {
  return (target) => {
    let result: Truth = true;
    for (const test of tests) {
      const truth = test(target);
      if (truth === false) return false;
      if (truth === 'unknown') result = truth;
    }
    return result;
  };
}

function not(test: Test): Test {
  return (target) => {
    const truth = test(target);
    return truth === 'unknown' ? truth : !truth;
  };
}

function unknown(): Truth {
  return 'unknown';
}

function compare({ fact, path, operator, value }: Comparison): Test {
  const [member, ...deeper] = (path !== undefined && parseRulePath(path)) || [];
  const parsed = parseOperator(operator);
  const isReference = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (
    fact !== 'target' ||
    member === undefined ||
    deeper.length > 0 ||
    isReference ||
    !parsed ||
    parsed.decorators.length > 0
  ) {
    return unknown;
  }
  const factOf = (target: TargetFacts): unknown => (target as unknown as Record<string, unknown>)[member];
  const list = Array.isArray(value) ? value : undefined;
  switch (parsed.base) {
    case 'equal':
      return (target) => factOf(target) === value;
    case 'notEqual':
      return (target) => factOf(target) !== value;
    case 'in':
      return list ? (target) => list.includes(factOf(target)) : unknown;
    case 'notIn':
      return list ? (target) => !list.includes(factOf(target)) : unknown;
    case 'contains':
      return (target) => holds(factOf(target), (members) => members.includes(value));
    case 'doesNotContain':
      return (target) => holds(factOf(target), (members) => !members.includes(value));
    default:
      return unknown;
  }
}

/** Operators on lists are false for anything else. */
function holds(value: unknown, test: (members: readonly unknown[]) => boolean): boolean {
  return Array.isArray(value) && test(value);
}
