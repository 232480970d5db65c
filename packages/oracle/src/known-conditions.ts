/** The value of a condition as far as known facts determine it: yes, no, or unknown (three-valued logic of Kleene). */
import type { Facts } from '@topo-bench/core/facts';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { isMet } from './conditions.ts';
import { pathSteps } from './rule-path.ts';

/** One side of a comparison: a fact, or a member of it. */
export type Operand = Pick<Comparison, 'fact' | 'path'>;
type Named = Readonly<Record<string, Condition>>;

/** False when no payload meets the condition, given all other facts. */
export function mayBeMet(condition: Condition, facts: Facts, named: Named): boolean {
  const isKnown = ({ fact, path }: Operand): boolean =>
    fact !== 'request' || (pathSteps(path ?? '$')[0] ?? 'payload') !== 'payload';
  return valueByKnown(condition, facts, named, isKnown) !== false;
}

/**
 * @param facts may lack what is unknown
 * @returns undefined where the value depends on an unknown fact
 */
export function valueByKnown(
  condition: Condition,
  facts: Facts,
  named: Named,
  isKnown: (operand: Operand) => boolean,
): boolean | undefined {
  if ('all' in condition || 'any' in condition) {
    const deciding = 'any' in condition;
    const members = 'all' in condition ? condition.all : condition.any;
    const values = members.map((member) => valueByKnown(member, facts, named, isKnown));
    if (members.length === 0) return true;
    if (values.includes(deciding)) return deciding;
    return values.includes(undefined) ? undefined : !deciding;
  }
  if ('not' in condition) {
    const value = valueByKnown(condition.not, facts, named, isKnown);
    return value === undefined ? undefined : !value;
  }
  if ('condition' in condition) return valueByKnown(named[condition.condition] as Condition, facts, named, isKnown);
  return operandsOf(condition, named).every(isKnown) ? isMet(condition, facts, named) : undefined;
}

/** Facts and paths on both sides of all comparisons of a condition. */
export function operandsOf(condition: Condition, named: Named): Operand[] {
  if ('all' in condition) return condition.all.flatMap((member) => operandsOf(member, named));
  if ('any' in condition) return condition.any.flatMap((member) => operandsOf(member, named));
  if ('not' in condition) return operandsOf(condition.not, named);
  if ('condition' in condition) return operandsOf(named[condition.condition] as Condition, named);
  const { value } = condition;
  const isFact = typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
  return isFact ? [condition, value as unknown as Operand] : [condition];
}
