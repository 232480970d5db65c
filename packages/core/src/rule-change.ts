/** A rule set that replaces the one in force, as a role receives it from the control side. */
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
