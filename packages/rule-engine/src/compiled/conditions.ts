/** Turns an expression into one closure over slot values, built once. No source text is ever generated. */
import type { Compare, Expression } from '../expression.ts';
import type { Slots, SlotValues } from './slots.ts';

export type ConditionTest = (values: SlotValues) => boolean;

/** @param expression result of `evaluateForTarget`, without facts of the target */
export function compileCondition(expression: Expression, slots: Slots): ConditionTest {
  switch (expression.kind) {
    case 'compare':
      return compileComparison(expression, slots);
    case 'not': {
      const member = compileCondition(expression.member, slots);
      return (values) => !member(values);
    }
    case 'all':
      return compileAll(expression.members.map((member) => compileCondition(member, slots)));
    case 'any': {
      const members = expression.members.map((member) => compileCondition(member, slots));
      return (values) => {
        for (const member of members) if (member(values)) return true;
        return false;
      };
    }
  }
}

function compileAll(members: readonly ConditionTest[]): ConditionTest {
  return (values) => {
    for (const member of members) if (!member(values)) return false;
    return true;
  };
}

function compileComparison({ left, right, operator, test }: Compare, slots: Slots): ConditionTest {
  if ('literal' in left) {
    const literal = left.literal;
    if ('literal' in right) return () => test(literal, right.literal);
    const slot = slots.of(right);
    return (values) => test(literal, values[slot]);
  }
  const slot = slots.of(left);
  if ('literal' in right) {
    const literal = right.literal;
    if (operator === 'equal') return (values) => values[slot] === literal;
    return (values) => test(values[slot], literal);
  }
  const other = slots.of(right);
  return (values) => test(values[slot], values[other]);
}
