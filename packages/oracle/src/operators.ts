/**
 * The operators of conditions, implemented case by case from json-rules-engine's manual. The rule engines have a
 * separate implementation and list of names: agreement of the two is independent evidence.
 */
import { TopoBenchError } from '@topo-bench/core/errors';

type Test = (a: unknown, b: unknown) => boolean;

/**
 * Whether `a operator b` is true, with `a` the value of the fact and `b` the value of the condition. Decorators precede
 * the operator and apply from left to right: `someFact:not:equal`. Unsupported operands make the result false.
 * @throws TopoBenchError `TB_RULES_UNKNOWN_OPERATOR`
 */
export function holds(operator: string, a: unknown, b: unknown): boolean {
  const colon = operator.lastIndexOf(':');
  const test = base.get(operator.slice(colon + 1));
  const decorators = colon < 0 ? [] : operator.slice(0, colon).split(':');
  if (!test || !decorators.every(isDecorator)) {
    throw new TopoBenchError('TB_RULES_UNKNOWN_OPERATOR', `unknown operator ${JSON.stringify(operator)}`);
  }
  return decorated(decorators, test)(a, b);
}

const decoratorNames = ['someFact', 'everyFact', 'someValue', 'everyValue', 'swap', 'not'] as const;
type Decorator = (typeof decoratorNames)[number];

function isDecorator(name: string): name is Decorator {
  return (decoratorNames as readonly string[]).includes(name);
}

/** Applies decorators to an operator; the first one is the outermost. */
function decorated([first, ...others]: readonly Decorator[], operator: Test): Test {
  if (!first) return operator;
  const rest = decorated(others, operator);
  switch (first) {
    case 'someFact':
      return (a, b) => Array.isArray(a) && a.some((element) => rest(element, b));
    case 'everyFact':
      return (a, b) => Array.isArray(a) && a.every((element) => rest(element, b));
    case 'someValue':
      return (a, b) => Array.isArray(b) && b.some((element) => rest(a, element));
    case 'everyValue':
      return (a, b) => Array.isArray(b) && b.every((element) => rest(a, element));
    case 'swap':
      return (a, b) => rest(b, a);
    case 'not':
      return (a, b) => !rest(a, b);
  }
}

const base = new Map<string, Test>([
  ['equal', (a, b) => a === b],
  ['notEqual', (a, b) => a !== b],
  ['in', (a, b) => membership(b, a) === 'inside'],
  ['notIn', (a, b) => membership(b, a) === 'outside'],
  ['contains', (a, b) => Array.isArray(a) && membership(a, b) === 'inside'],
  ['doesNotContain', (a, b) => Array.isArray(a) && membership(a, b) === 'outside'],
  ['lessThan', (a, b) => comparable(a, b) && (a as number) < (b as number)],
  ['lessThanInclusive', (a, b) => comparable(a, b) && (a as number) <= (b as number)],
  ['greaterThan', (a, b) => comparable(a, b) && (a as number) > (b as number)],
  ['greaterThanInclusive', (a, b) => comparable(a, b) && (a as number) >= (b as number)],
]);

/** Membership of a value in an array (by `===`) or of its string form in a string (as a substring). */
function membership(whole: unknown, part: unknown): 'inside' | 'outside' | 'undecidable' {
  if (Array.isArray(whole)) return whole.some((element) => element === part) ? 'inside' : 'outside';
  if (typeof whole !== 'string') return 'undecidable';
  const text = textOf(part);
  if (text === undefined) return 'undecidable';
  return whole.includes(text) ? 'inside' : 'outside';
}

/** Whether order operators apply: the left side parses as a number, and the right side converts to a string. */
function comparable(a: unknown, b: unknown): boolean {
  const text = textOf(a);
  return text !== undefined && !Number.isNaN(Number.parseFloat(text)) && textOf(b) !== undefined;
}

/** The string form of a value; undefined for objects whose conversion throws. */
function textOf(value: unknown): string | undefined {
  try {
    return String(value);
  } catch {
    return undefined;
  }
}
