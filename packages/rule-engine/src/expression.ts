/**
 * A resolved condition: the named condition in place of each reference, paths parsed, operators resolved, literals
 * copied. As after transport, no literal is identical to an object of the facts.
 */
import { type Facts, isFactValue, parseRulePath } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { type OperatorTest, operatorTest } from './operators.ts';

export type Operand = { readonly literal: unknown } | { readonly fact: keyof Facts; readonly path: readonly string[] };

export interface Compare {
  readonly kind: 'compare';
  readonly operator: string;
  readonly test: OperatorTest;
  readonly left: Operand;
  readonly right: Operand;
}

export type Expression =
  | { readonly kind: 'all' | 'any'; readonly members: readonly Expression[] }
  | { readonly kind: 'not'; readonly member: Expression }
  | Compare;

type Named = Readonly<Record<string, Condition>>;

/** Resolves conditions that `checkRules` accepts. Each named condition is resolved once and shared. */
export function resolveConditions(conditions: readonly Condition[], named: Named): Expression[] {
  const resolved = new Map<string, Expression>();
  const resolve = (condition: Condition): Expression => {
    if ('all' in condition) return list('all', condition.all.map(resolve));
    if ('any' in condition) return list('any', condition.any.map(resolve));
    if ('not' in condition) return { kind: 'not', member: resolve(condition.not) };
    if (!('condition' in condition)) return resolveComparison(condition);
    const name = condition.condition;
    const expression = resolved.get(name) ?? resolve(named[name] as Condition);
    resolved.set(name, expression);
    return expression;
  };
  return conditions.map(resolve);
}

export function resolveComparison({ fact, path, operator, value }: Comparison): Compare {
  const right = isFactValue(value) ? factOperand(value.fact as keyof Facts, value.path) : { literal: copyOf(value) };
  return { kind: 'compare', operator, test: operatorTest(operator), left: factOperand(fact, path), right };
}

/** Follows a path from a fact; see `parseRulePath` for what a step reaches. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The value of an operand for these facts. */
export function operandValue(operand: Operand, facts: Facts): unknown {
  return 'literal' in operand ? operand.literal : valueAt(facts[operand.fact], operand.path);
}

function copyOf(literal: unknown): unknown {
  return typeof literal === 'object' ? structuredClone(literal) : literal;
}

function factOperand(fact: keyof Facts, path = '$'): Operand {
  return { fact, path: parseRulePath(path) as string[] };
}

function list(kind: 'all' | 'any', members: readonly Expression[]): Expression {
  // In json-rules-engine an empty `any` is true as well.
  return { kind: members.length === 0 ? 'all' : kind, members };
}
