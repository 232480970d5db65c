/**
 * Necessary conditions of a rule in a form that a map can look up: "this member equals one of these values" or "this list
 * contains one of these values". A rule needs to be evaluated only when one of its keys is met.
 */
import type { Compare, Expression } from '../expression.ts';
import type { FactOperand, Slots } from './slots.ts';

/** Met when the value of the slot is `value` (`equals`), or is a list with the element `value` (`contains`). */
export interface CandidateKey {
  readonly relation: 'equals' | 'contains';
  readonly slot: number;
  readonly value: unknown;
}

/** How a comparison with a literal on its right reads as keys, by operator: of the one value, or of each of its elements. */
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

/** The same with sides exchanged, for comparisons of a literal (a fact of the target) with a member of request or flow. */
const exchanged: Partial<Record<string, string>> = { equal: 'equal', contains: 'in', 'someFact:equal': 'in' };

/**
 * The choice of keys with the lowest cost such that the expression can only hold when one of the keys is met.
 * @param cost of one key, e.g. how many rules share it
 * @returns undefined when there is no such choice: negations, orders and substrings cannot be looked up
 */
export function candidateKeys(
  expression: Expression,
  slots: Slots,
  cost: (key: CandidateKey) => number,
): CandidateKey[] | undefined {
  switch (expression.kind) {
    case 'compare':
      return comparisonKeys(expression, slots);
    case 'not':
      return undefined;
    case 'all': {
      const choices = expression.members.map((member) => candidateKeys(member, slots, cost));
      return cheapest(
        choices.filter((keys) => keys !== undefined),
        cost,
      );
    }
    case 'any': {
      const parts = expression.members.map((member) => candidateKeys(member, slots, cost));
      return parts.every((keys) => keys !== undefined) ? parts.flat() : undefined;
    }
  }
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

function cheapest(choices: CandidateKey[][], cost: (key: CandidateKey) => number): CandidateKey[] | undefined {
  let best: CandidateKey[] | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (const keys of choices) {
    const sum = keys.reduce((total, key) => total + cost(key), 0);
    if (sum < lowest) [best, lowest] = [keys, sum];
  }
  return best;
}
