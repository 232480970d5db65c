/**
 * Partially evaluates a rule with the facts that are known, such as those of its target. Strong Kleene logic: parts
 * that depend on other facts are unknown and remain; the other parts are folded.
 */
import type { TargetFacts } from '@topo-bench/core';
import { type Compare, type Expression, type Operand, valueAt } from './expression.ts';

/** A literal for an operand whose value is known, else the operand. */
export type Bind = (operand: Operand) => Operand;

/**
 * Evaluates an expression for one target.
 * @returns true or false when the target's facts decide it, else an expression over request and flow alone
 */
export function evaluateForTarget(expression: Expression, target: TargetFacts): Expression | boolean {
  return evaluateWith(expression, (operand) => {
    if ('literal' in operand || operand.fact !== 'target') return operand;
    return { literal: valueAt(target, operand.path) };
  });
}

/** @returns true or false when the known facts decide the expression, else an expression over the others */
export function evaluateWith(expression: Expression, bind: Bind): Expression | boolean {
  switch (expression.kind) {
    case 'compare':
      return compare(expression, bind);
    case 'not': {
      const member = evaluateWith(expression.member, bind);
      return typeof member === 'boolean' ? !member : { kind: 'not', member };
    }
    default:
      return list(expression.kind, expression.members, bind);
  }
}

function list(kind: 'all' | 'any', members: readonly Expression[], bind: Bind): Expression | boolean {
  // The member value that decides the whole list.
  const decisive = kind === 'any';
  const unknown: Expression[] = [];
  for (const member of members) {
    const rest = evaluateWith(member, bind);
    if (rest === decisive) return decisive;
    if (typeof rest !== 'boolean') unknown.push(rest);
  }
  if (unknown.length === 0) return !decisive;
  return unknown.length === 1 ? (unknown[0] as Expression) : { kind, members: unknown };
}

function compare(comparison: Compare, bind: Bind): Expression | boolean {
  const left = bind(comparison.left);
  const right = bind(comparison.right);
  if ('literal' in left && 'literal' in right) return comparison.test(left.literal, right.literal);
  return { ...comparison, left, right };
}
