/** The port between whoever must decide a step and whatever evaluates the rules. */
import type { Decision, Facts } from '@topo-bench/core';

/**
 * Decides steps over a rule set for a fixed list of targets.
 *
 * Strength: deny > reroute > redact > allow; the strongest effect among the matching rules wins, and its first rule (higher
 * priority, then file order) is `rule`. What becomes of matching redactions:
 *
 * | winning effect | `remove`, `pseudonymise` |
 * |---|---|
 * | `deny` | empty: the target gets nothing |
 * | `reroute` | those of all matching `redact` rules: they hold for the alternative too, beside its own rules' redactions |
 * | `redact` | those of all matching `redact` rules |
 * | `allow`, and the default effect | empty: a matching `redact` rule would have won |
 *
 * A decision and its lists may be shared between calls and are frozen.
 */
export interface RuleEngine {
  /**
   * @param facts of one step; `facts.target.service` must be one of the engine's targets, whose static facts apply
   * @returns the decision; a promise only from engines that cannot answer at once, so callers await only a promise
   * @throws TopoBenchError `TB_RULES_UNKNOWN_TARGET`
   */
  decide(facts: Facts): Decision | Promise<Decision>;
}

/** An engine that always answers at once. */
export interface SynchronousRuleEngine extends RuleEngine {
  decide(facts: Facts): Decision;
}
