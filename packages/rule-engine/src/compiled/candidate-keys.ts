/**
 * Conditions of a rule in a form that a map can look up: "this member equals one of these values" or "this list
 * contains one of these values".
 */
import type { Compare, Expression } from '../expression.ts';
import type { FactOperand, Slots } from './slots.ts';

/** Met when the value of the slot is `value` (`equals`), or is a list with the element `value` (`contains`). */
export interface CandidateKey {
  readonly relation: 'equals' | 'contains';
  readonly slot: number;
  readonly value: unknown;
}

/**
 * How a comparison with a literal on its right reads as keys, by operator: of the one value, or of each of its
 * elements.
 */
const keyForms: Partial<Record<string, readonly [CandidateKey['relation'], 'value' | 'elements']>> = {
  equal: ['equals', 'value'],
  'swap:equal': ['equals', 'value'],
  in: ['equals', 'elements'],
  'someValue:equal': ['equals', 'elements'],
  'swap:contains': ['equals', 'elements'],
  contains: ['contains', 'value'],
  'someFact:equal': ['contains', 'value'],
  'someFact:in': ['contains', 'elements'],
  'someFact:someValue:equal': ['contains', 'elements'],
  'someValue:contains': ['contains', 'elements'],
};

/**
 * The same with sides exchanged, for comparisons of a literal (a fact of the target) with a member of request or flow.
 */
const exchanged: Partial<Record<string, string>> = { equal: 'equal', contains: 'in', 'someFact:equal': 'in' };

/**
 * A way to find an expression: it can only hold when one of the keys is met, and then it holds exactly when `rest`
 * does.
 */
export interface KeyChoice {
  readonly keys: readonly CandidateKey[];
  readonly rest: Expression;
  /** Whether `rest` is less than the expression: of an `any` nothing can be left out. */
  readonly shrinks: boolean;
}

/** Holds always. */
export const nothing: Expression = { kind: 'all', members: [] };

/**
 * All ways to find an expression. None for negations, orders and substrings: `BitmapIndex` takes those.
 * @param best picks among the ways to find one member of an `any`, all of whose members must be found
 */
export function keyChoices(
  expression: Expression,
  slots: Slots,
  best: (choices: readonly KeyChoice[]) => KeyChoice | undefined,
): KeyChoice[] {
  switch (expression.kind) {
    case 'compare': {
      const keys = comparisonKeys(expression, slots);
      return keys ? [{ keys, rest: nothing, shrinks: true }] : [];
    }
    case 'not':
      return [];
    case 'all':
      return expression.members.flatMap((member, i) =>
        keyChoices(member, slots, best).map((choice) => ({
          ...choice,
          rest: withMember(expression.members, i, choice.rest),
        })),
      );
    case 'any': {
      const parts = expression.members.map((member) => best(keyChoices(member, slots, best)));
      return parts.every((part) => part !== undefined)
        ? [{ keys: parts.flatMap(({ keys }) => keys), rest: expression, shrinks: false }]
        : [];
    }
  }
}

/** The `all` of some members with one of them replaced by what is left of it. */
function withMember(members: readonly Expression[], index: number, rest: Expression): Expression {
  const others = members.filter((_, i) => i !== index);
  const all = rest === nothing ? others : [...others, rest];
  return all.length === 1 ? (all[0] as Expression) : { kind: 'all', members: all };
}

/** The keys of one comparison; undefined when it cannot be looked up. */
function comparisonKeys(comparison: Compare, slots: Slots): CandidateKey[] | undefined {
  const { operator, left, right } = comparison;
  if ('literal' in right && !('literal' in left)) return keysOf(operator, left, right.literal, slots);
  const other = exchanged[operator];
  if ('literal' in left && !('literal' in right) && other) return keysOf(other, right, left.literal, slots);
  return undefined;
}

function keysOf(operator: string, operand: FactOperand, literal: unknown, slots: Slots): CandidateKey[] | undefined {
  const form = Object.hasOwn(keyForms, operator) ? keyForms[operator] : undefined;
  if (!form) return undefined;
  const [relation, taken] = form;
  if (taken === 'elements' && !Array.isArray(literal)) return undefined;
  const values: unknown[] = taken === 'elements' ? (literal as unknown[]) : [literal];
  const slot = slots.of(operand);
  return values.filter(canEqual).map((value) => ({ relation, slot, value }));
}

/** NaN equals nothing, and a literal object or list is never identical to a fact; a Map would find NaN. */
function canEqual(value: unknown): boolean {
  return (typeof value !== 'object' || value === null) && !Number.isNaN(value);
}
