/** The right decision of one step: evaluates every rule, then applies the precedence of effects. */
import { type Decision, type Facts, noRule } from '@topo-bench/core/facts';
import { isMet } from './conditions.ts';
import type { Rule, Rules } from './read-rules.ts';

/** Strongest first: deny > reroute > redact > allow. */
const byStrength = ['deny', 'reroute', 'redact', 'allow'] as const;

/**
 * The decision for facts under a rule set. The strongest effect of the matching rules wins. Within an effect the rule
 * with the highest priority is reported, then the first in the file. Redactions of all matching rules are combined.
 * Without a match the default applies. O(rules), intentionally.
 */
export function rightDecision(rules: Rules, facts: Facts): Decision {
  const matches = ({ service, when }: Rule): boolean =>
    (service === undefined || service === facts.target.service) && isMet(when, facts, rules.conditions);
  const matching = rules.rules.filter(matches).sort(byPrecedence);
  const first = matching[0];
  const effect = first?.effect ?? rules.default;
  const redactions =
    effect === 'redact' || effect === 'reroute' ? matching.filter((rule) => rule.effect === 'redact') : [];
  const remove = [...new Set(redactions.flatMap((rule) => rule.remove))];
  const pseudonymise = [...new Set(redactions.flatMap((rule) => rule.pseudonymise))];
  return {
    effect,
    rule: first?.id,
    ruleIndex: first?.index ?? noRule,
    rules: matching.map((rule) => rule.id),
    remove,
    pseudonymise: pseudonymise.filter((pointer) => !remove.includes(pointer)),
    to: effect === 'reroute' ? first?.to : undefined,
  };
}

function byPrecedence(a: Rule, b: Rule): number {
  return byStrength.indexOf(a.effect) - byStrength.indexOf(b.effect) || b.priority - a.priority || a.index - b.index;
}
