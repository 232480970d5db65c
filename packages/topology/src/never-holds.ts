/**
 * Finds conditions that no request can satisfy, from the types of the facts alone. Examples: a list operator on a
 * string fact, equality with a list, a path below a string. A deny rule with such a condition denies nothing.
 */
import { parseOperator, parseRulePath, type RuleSet } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';

type Shape = 'text' | 'list' | 'missing' | 'unknown';

const shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  request: { class: 'text', origin: 'text', purpose: 'text', categories: 'list', consents: 'list' },
  target: { service: 'text', node: 'text', region: 'text', tags: 'list' },
  flow: { services: 'list', regions: 'list' },
};

/**
 * @param named conditions without circles
 * @returns a function with the reason why a condition is never true; undefined when it may be true
 */
export function neverReasons(named: RuleSet['conditions']): (condition: Condition) => string | undefined {
  const reasons = new Map<string, string | undefined>();
  const why = (condition: Condition): string | undefined => {
    if ('all' in condition) return condition.all.map(why).find((reason) => reason !== undefined);
    if ('any' in condition) {
      const each = condition.any.map(why);
      // An empty `any` is true.
      return each.includes(undefined) ? undefined : each[0];
    }
    if ('not' in condition) return undefined;
    if (!('condition' in condition)) return whyNot(condition);
    const name = condition.condition;
    if (!reasons.has(name)) reasons.set(name, why(named[name] as Condition));
    return reasons.get(name);
  };
  return why;
}

function whyNot({ fact, path, operator, value }: Comparison): string | undefined {
  const parsed = parseOperator(operator);
  if (!parsed) return undefined;
  const shape = shapeOf(fact, path);
  const what = `${fact} ${path ?? '$'}`;
  const [decorator] = parsed.decorators;
  const asks = decorator ?? parsed.base;
  const needsList = ['contains', 'doesNotContain', 'someFact', 'everyFact'].includes(asks);
  if (needsList && shape === 'text') return `${what} is a text, and \`${asks}\` holds for lists only`;
  const neverMissing = needsList || (asks === 'equal' && !isFact(value)) || (asks === 'in' && Array.isArray(value));
  if (neverMissing && shape === 'missing')
    return `${what} leads below a value that has no members, and \`${asks}\` is false then`;
  const exact = (asks === 'equal' && !isFact(value)) || (asks === 'in' && Array.isArray(value));
  if (exact && shape === 'list') return `${what} is a list, which equals no value of a rule: use \`contains\``;
  return undefined;
}

function shapeOf(fact: string, path = '$'): Shape {
  const [member = '', ...deeper] = parseRulePath(path) ?? [];
  const shape = shapes[fact]?.[member] ?? 'unknown';
  if (deeper.length === 0) return shape;
  const [step = ''] = deeper;
  if (shape === 'text') return 'missing';
  if (shape !== 'list') return 'unknown';
  // An element may be missing, otherwise it is a string. The length is a number.
  if (/^\d+$/.test(step)) return deeper.length > 1 ? 'missing' : 'text';
  return step === 'length' && deeper.length === 1 ? 'unknown' : 'missing';
}

function isFact(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
