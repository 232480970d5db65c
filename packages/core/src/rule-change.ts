/** A rule set that replaces the one in force, as a role receives it from the control side. */
import type { RoleConfig } from './role-config.ts';
import type { RuleSet } from './rule-set.ts';

export interface RuleChange {
  /** Number of the rule set in its deployment, from 1. The set that it started with is 0. */
  version: number;
  /** At an enforcement point: the rules of its targets. */
  rules?: RuleSet;
  /** At the gateway: ids of all rules by index, which names the rules of decisions. */
  ruleIds?: string[];
  /** At the gateway: requests that enter from now on are decided by this version (`consistency: versioned`). */
  stamped?: boolean;
  /** At the gateway: the rules of each enforcement point that fetches them. */
  parts?: Record<string, RuleSet>;
}

/** Answer of a role: every later decision of the role uses this version. */
export interface RulesConfirmed {
  version: number;
}

/** The part of a configuration that changes of rules decide. */
export type ChangedRules = Partial<Pick<RoleConfig, 'rules' | 'rulesVersion' | 'changedRuleIds'>>;

/**
 * With what a role starts again.
 * @param changes that it was sent. A message may overtake that of an earlier change
 */
export function rulesAfter(changes: readonly RuleChange[]): ChangedRules {
  const [newest] = changes.filter(({ rules }) => rules).sort((one, other) => other.version - one.version);
  if (newest?.rules) return { rules: newest.rules, rulesVersion: newest.version };
  const changedRuleIds = changes.flatMap(({ version, ruleIds }): [number, string[]][] =>
    ruleIds ? [[version, ruleIds]] : [],
  );
  if (changedRuleIds.length === 0) return {};
  const stamp = Math.max(0, ...changes.flatMap(({ version, stamped }) => (stamped ? version : [])));
  return { changedRuleIds, rulesVersion: stamp };
}
