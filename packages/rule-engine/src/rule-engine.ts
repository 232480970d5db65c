/** The port of rule engines: enforcement points decide steps through it. */
import { type Decision, type Facts, type TargetFacts, TopoBenchError } from '@topo-bench/core';

/**
 * Decides steps over a rule set for a fixed list of targets.
 *
 * Strength: deny > reroute > redact > allow; the strongest effect among the matching rules wins, and its first rule
 * (higher priority, then file order) is `rule`. Matching redactions:
 *
 * | winning effect | `remove`, `pseudonymise` |
 * |---|---|
 * | `deny` | empty: the target receives nothing |
 * | `reroute` | those of all matching `redact` rules; they apply to the alternative in addition to its own |
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

/** An engine that always decides synchronously. */
export interface SynchronousRuleEngine extends RuleEngine {
  decide(facts: Facts): Decision;
}

/** The error for a service that is not a target of the engine. The step fails closed. */
export function unknownTarget(service: string, targets: readonly TargetFacts[]): TopoBenchError {
  const known = targets.map((target) => target.service).join(', ') || 'none';
  return new TopoBenchError('TB_RULES_UNKNOWN_TARGET', `no rules are held for the service "${service}"`, {
    hint: `targets of this engine: ${known}`,
  });
}
