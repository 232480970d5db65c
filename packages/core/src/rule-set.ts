/** Rules as engines read them: expanded over services, in file order, without units or file positions. */
import type { Condition, Effect } from './schema/rules.ts';

/** A rule after `forEach` expansion. `index` is its position in the whole set and stays the same in every subset. */
export interface ExpandedRule {
  index: number;
  id: string;
  priority: number;
  when: Condition;
  effect: Effect;
  remove: string[];
  pseudonymise: string[];
  to: string | undefined;
}

export interface RuleSet {
  /** Effect when no rule matches. */
  default: 'allow' | 'deny';
  conditions: Record<string, Condition>;
  rules: ExpandedRule[];
}
