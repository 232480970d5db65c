/**
 * Converts the conditions of a rule to keys of a map. A key means "this member equals this value" or "this list
 * contains this value".
 */
import type { Compare, Expression } from '../expression.ts';
import type { FactOperand, Slots } from './slots.ts';

/** Met if the value of the slot is `value` (`equals`), or is a list with the element `value` (`contains`). */
export interface CandidateKey {
  readonly relation: 'equals' | 'contains';
  readonly slot: number;
  readonly value: unknown;
}

/**
 * Keys of a comparison with a literal on the right, by operator: one for the value, or one for each of its elements.
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
 * Each operator with its sides exchanged. Used to compare a literal (a fact of the target) with a member of request or
 * flow.
 */
const exchanged: Partial<Record<string, string>> = { equal: 'equal', contains: 'in', 'someFact:equal': 'in' };

/**
 * A way to look up an expression. It can be true only if one of the keys is met. It is then true if and only if `rest`
 * is.
 */
export interface KeyChoice {
  readonly keys: readonly CandidateKey[];
  readonly rest: Expression;
  /** Whether `rest` is shorter than the expression; false for an `any`, which stays complete. */
  readonly shrinks: boolean;
}

/** Always true. */
export const nothing: Expression = { kind: 'all', members: [] };

/**
 * All ways to look up an expression. Empty for negations, orders and substrings, which `BitmapIndex` covers.
 * @param best selects one of the ways for a member of an `any`; every member needs one
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

/** The `all` of the members, with one of them replaced by its remaining condition. */
function withMember(members: readonly Expression[], index: number, rest: Expression): Expression {
  const others = members.filter((_, i) => i !== index);
  const all = rest === nothing ? others : [...others, rest];
  return all.length === 1 ? (all[0] as Expression) : { kind: 'all', members: all };
}

/** The keys of one comparison; undefined if a map cannot look it up. */
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

/** NaN equals no value, and a literal object or list is never identical to a fact. A Map would match NaN. */
function canEqual(value: unknown): boolean {
  return (typeof value !== 'object' || value === null) && !Number.isNaN(value);
}
