/** Gives an enforcement point the rules of its targets and no others. */
import type { TargetFacts } from '@topo-bench/core/facts';
import type { RuleSet } from '@topo-bench/core/rule-set';
import { resolveCondition } from './expression.ts';
import { evaluateForTarget } from './partial-evaluation.ts';

/**
 * The part of a rule set that can matter for some of the targets: every rule that the static facts of at least one of
 * them do not make false. Rules keep their `index`; default effect and named conditions stay.
 *
 * Decisions about these targets are the same under the part as under the whole.
 * @param ruleSet one that `checkRules` accepts
 */
export function partitionRules(ruleSet: RuleSet, targets: readonly TargetFacts[]): RuleSet {
  const rules = ruleSet.rules.filter((rule) => {
    const expression = resolveCondition(rule.when, ruleSet.conditions);
    return targets.some((target) => evaluateForTarget(expression, target) !== false);
  });
  return { ...ruleSet, rules };
}
