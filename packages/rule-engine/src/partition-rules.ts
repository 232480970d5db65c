/** Selects the rules of an enforcement point: those that can apply to its targets. */
import type { RuleSet, TargetFacts } from '@topo-bench/core';
import { type Expression, resolveConditions } from './expression.ts';
import { evaluateForTarget } from './partial-evaluation.ts';

/** Cache of resolved rules: 1000 sidecars need 1000 parts of the same rule set. */
const resolvedSets = new WeakMap<RuleSet, Expression[]>();

/**
 * Returns the rules that can apply to at least one target: those that its static facts do not make false. Rules keep
 * their `index`; default effect and named conditions stay.
 *
 * Decisions about these targets are the same as with the whole set. O(rules × targets).
 * @param ruleSet one that `checkRules` accepts; must not change afterwards
 */
export function partitionRules(ruleSet: RuleSet, targets: readonly TargetFacts[]): RuleSet {
  const expressions =
    resolvedSets.get(ruleSet) ??
    resolveConditions(
      ruleSet.rules.map(({ when }) => when),
      ruleSet.conditions,
    );
  resolvedSets.set(ruleSet, expressions);
  const rules = ruleSet.rules.filter((_, i) =>
    targets.some((target) => evaluateForTarget(expressions[i] as Expression, target) !== false),
  );
  return { ...ruleSet, rules };
}
