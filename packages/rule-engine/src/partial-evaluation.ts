/**
 * Partially evaluates a rule with the facts of its target. Strong Kleene logic: parts that depend on request or flow
 * are unknown and remain; the other parts are folded.
 */
import type { TargetFacts } from '@topo-bench/core';
import { type Compare, type Expression, type Operand, valueAt } from './expression.ts';

/**
 * Evaluates an expression for one target.
 * @returns true or false when the target's facts decide it, else an expression over request and flow alone
 */
export function evaluateForTarget(expression: Expression, target: TargetFacts): Expression | boolean {
  switch (expression.kind) {
    case 'compare':
      return compare(expression, target);
    case 'not': {
      const member = evaluateForTarget(expression.member, target);
      return typeof member === 'boolean' ? !member : { kind: 'not', member };
    }
    default:
      return list(expression.kind, expression.members, target);
  }
}

function list(kind: 'all' | 'any', members: readonly Expression[], target: TargetFacts): Expression | boolean {
  // The member value that decides the whole list.
  const decisive = kind === 'any';
  const unknown: Expression[] = [];
  for (const member of members) {
    const rest = evaluateForTarget(member, target);
    if (rest === decisive) return decisive;
    if (typeof rest !== 'boolean') unknown.push(rest);
  }
  if (unknown.length === 0) return !decisive;
  return unknown.length === 1 ? (unknown[0] as Expression) : { kind, members: unknown };
}

function compare(comparison: Compare, target: TargetFacts): Expression | boolean {
  const left = bind(comparison.left, target);
  const right = bind(comparison.right, target);
  if ('literal' in left && 'literal' in right) return comparison.test(left.literal, right.literal);
  return { ...comparison, left, right };
}

function bind(operand: Operand, target: TargetFacts): Operand {
  if ('literal' in operand || operand.fact !== 'target') return operand;
  return { literal: valueAt(target, operand.path) };
}
