/**
 * The operators that a comparison may use, as data: base operators and decorators of json-rules-engine 7, and what they
 * mean. Engines and file validation share this list, and each engine implements the meaning on its own. The oracle has
 * a list of its own.
 *
 * With `a` the value of the fact and `b` the condition's value (a literal or the value of another fact):
 *
 * | operator | holds when |
 * |---|---|
 * | `equal`, `notEqual` | `a === b`, `a !== b` (a missing member is `undefined`; arrays and objects only equal themselves) |
 * | `in`, `notIn` | `b` is an array with (without) the element `a`, or a text with (without) the substring `a` |
 * | `contains`, `doesNotContain` | `a` is an array with (without) the element `b` |
 * | `lessThan`, `lessThanInclusive`, `greaterThan`, `greaterThanInclusive` | `Number.parseFloat(a)` is a number and `a < b`, … as JavaScript compares |
 *
 * Every operator is total: an operand that it cannot work on (`in` a missing fact, `doesNotContain` of a text, an
 * object that has no text form) makes it **false**, the negative ones too. The library itself throws in some of these
 * cases.
 *
 * Decorators stand before the operator, `someFact:not:equal`, and apply from left to right:
 * `someFact` / `everyFact`: `a` is an array and some / every element of it passes the rest with `b` ·
 * `someValue` / `everyValue`: the same for the elements of `b` · `swap`: the rest with `a` and `b` exchanged ·
 * `not`: the rest is false (true, therefore, where the rest cannot work on its operands).
 */
export const ruleOperators = [
  'equal',
  'notEqual',
  'in',
  'notIn',
  'contains',
  'doesNotContain',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export const ruleDecorators = ['someFact', 'everyFact', 'someValue', 'everyValue', 'swap', 'not'] as const;
export type RuleDecorator = (typeof ruleDecorators)[number];

/** Facts that a comparison may refer to: the members of `Facts`. */
export const ruleFacts = ['request', 'target', 'flow'] as const;

/** A parsed operator: decorators from left to right, then the base operator. */
export interface DecoratedOperator {
  decorators: RuleDecorator[];
  base: RuleOperator;
}

/** Parses `decorator:…:operator`; undefined when a part is unknown. */
export function parseOperator(text: string): DecoratedOperator | undefined {
  const parts = text.split(':');
  const base = parts.pop();
  if (!isOneOf(ruleOperators, base) || !parts.every((part) => isOneOf(ruleDecorators, part))) return undefined;
  return { decorators: parts as RuleDecorator[], base };
}

function isOneOf<T extends string>(list: readonly T[], text: string | undefined): text is T {
  return (list as readonly (string | undefined)[]).includes(text);
}
