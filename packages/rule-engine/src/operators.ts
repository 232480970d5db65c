/**
 * The operators and decorators of `core/rule-operators.ts`, implemented without the library: total functions of two
 * operands.
 */
import { parseOperator, type RuleDecorator, type RuleOperator } from '@topo-bench/core';

/** Compares the value of the fact (`a`) with the value of the condition (`b`). Never throws. */
export type OperatorTest = (a: unknown, b: unknown) => boolean;

const operators: Record<RuleOperator, OperatorTest> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  in: (a, b) => (Array.isArray(b) ? b.indexOf(a) > -1 : isSubstring(a, b) === true),
  notIn: (a, b) => (Array.isArray(b) ? b.indexOf(a) === -1 : isSubstring(a, b) === false),
  contains: (a, b) => Array.isArray(a) && a.indexOf(b) > -1,
  doesNotContain: (a, b) => Array.isArray(a) && a.indexOf(b) === -1,
  lessThan: ordered((a, b) => a < b),
  lessThanInclusive: ordered((a, b) => a <= b),
  greaterThan: ordered((a, b) => a > b),
  greaterThanInclusive: ordered((a, b) => a >= b),
};

const decorators: Record<RuleDecorator, (next: OperatorTest) => OperatorTest> = {
  someFact: (next) => (a, b) => Array.isArray(a) && a.some((element) => next(element, b)),
  everyFact: (next) => (a, b) => Array.isArray(a) && a.every((element) => next(element, b)),
  someValue: (next) => (a, b) => Array.isArray(b) && b.some((element) => next(a, element)),
  everyValue: (next) => (a, b) => Array.isArray(b) && b.every((element) => next(a, element)),
  swap: (next) => (a, b) => next(b, a),
  not: (next) => (a, b) => !next(a, b),
};

/** The test of an operator that `checkRules` accepts, with its decorators: `someFact:not:equal`. */
export function operatorTest(text: string): OperatorTest {
  const parsed = parseOperator(text);
  if (!parsed) throw new Error(`unchecked operator ${text}`);
  return parsed.decorators.reduceRight((next, decorator) => decorators[decorator](next), operators[parsed.base]);
}

// Objects of a payload can be made to fail on conversion ({"toString": 1}): such an operand compares as false.
function ordered(compare: (a: number, b: number) => boolean): OperatorTest {
  return (a, b) => {
    try {
      return !Number.isNaN(Number.parseFloat(a as string)) && compare(a as number, b as number);
    } catch {
      return false;
    }
  };
}

function isSubstring(a: unknown, b: unknown): boolean | undefined {
  if (typeof b !== 'string') return undefined;
  try {
    return b.indexOf(a as string) > -1;
  } catch {
    return undefined;
  }
}
