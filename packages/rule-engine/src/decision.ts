/** Decides from matching rules: strength of effects, priority, file order, and the union of redactions. */
import { type Decision, type ExpandedRule, noRule, type RuleSet } from '@topo-bench/core';

// Restated from the schema's `effects`, which would load zod.
const strength = { deny: 3, reroute: 2, redact: 1, allow: 0 } as const satisfies Record<ExpandedRule['effect'], number>;

/** Orders rules as decisions name them: stronger effect first, then higher priority, then file order. */
export function compareRank(a: ExpandedRule, b: ExpandedRule): number {
  return strength[b.effect] - strength[a.effect] || b.priority - a.priority || a.index - b.index;
}

/** The decision when no rule matches; frozen. */
export function defaultDecision(effect: RuleSet['default']): Decision {
  return frozen({ effect, rule: undefined, ruleIndex: noRule, rules: [], remove: [], pseudonymise: [], to: undefined });
}

/**
 * The decision that follows from matching rules; frozen.
 * @param matching at least one, each once, in the order of `compareRank`
 */
export function decisionOf(matching: readonly ExpandedRule[]): Decision {
  const winner = matching[0] as ExpandedRule;
  const redactions = winner.effect === 'deny' ? [] : matching.filter((rule) => rule.effect === 'redact');
  const remove = union(redactions.map((rule) => rule.remove));
  const pseudonymise = union(redactions.map((rule) => rule.pseudonymise));
  return frozen({
    effect: winner.effect,
    rule: winner.id,
    ruleIndex: winner.index,
    rules: matching.map((rule) => rule.id),
    remove,
    pseudonymise: pseudonymise.filter((pointer) => !remove.includes(pointer)),
    to: winner.effect === 'reroute' ? winner.to : undefined,
  });
}

function union(lists: string[][]): string[] {
  return [...new Set(lists.flat())];
}

function frozen(decision: Decision): Decision {
  for (const list of [decision.rules, decision.remove, decision.pseudonymise]) Object.freeze(list);
  return Object.freeze(decision);
}
