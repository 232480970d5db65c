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

/** @returns the reason why the condition is never true; undefined when it may be true */
export function whyNever(condition: Condition, named: RuleSet['conditions']): string | undefined {
  return why(condition, named, new Set());
}

function why(condition: Condition, named: RuleSet['conditions'], seen: ReadonlySet<string>): string | undefined {
  const each = (parts: readonly Condition[]): (string | undefined)[] => parts.map((part) => why(part, named, seen));
  if ('all' in condition) return each(condition.all).find((reason) => reason !== undefined);
  if ('any' in condition) {
    const reasons = each(condition.any);
    // An empty `any` is true.
    return reasons.includes(undefined) ? undefined : reasons[0];
  }
  if ('not' in condition) return undefined;
  if (!('condition' in condition)) return whyNot(condition);
  const referred = Object.hasOwn(named, condition.condition) ? named[condition.condition] : undefined;
  if (!referred || seen.has(condition.condition)) return undefined;
  return why(referred, named, new Set([...seen, condition.condition]));
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
