/**
 * A resolved condition: named conditions inlined, paths parsed, operators resolved, literals copied. As after
 * transport, no literal is identical to an object of the facts.
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

/** Resolves a condition that `checkRules` accepts. */
export function resolveCondition(condition: Condition, named: Named): Expression {
  if ('all' in condition) return list('all', condition.all, named);
  if ('any' in condition) return list('any', condition.any, named);
  if ('not' in condition) return { kind: 'not', member: resolveCondition(condition.not, named) };
  if ('condition' in condition) return resolveCondition(named[condition.condition] as Condition, named);
  return resolveComparison(condition);
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

function list(kind: 'all' | 'any', conditions: readonly Condition[], named: Named): Expression {
  const members = conditions.map((member) => resolveCondition(member, named));
  // In json-rules-engine an empty `any` is true as well.
  return { kind: members.length === 0 ? 'all' : kind, members };
}
