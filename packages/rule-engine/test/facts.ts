/** Facts and rules for tests: a plain request, and rule sets written as short as they can be. */
import type { ExpandedRule, Facts, RequestFacts, RuleSet, TargetFacts } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';

export const target: TargetFacts = { service: 'svc-1', node: 'eu-1', region: 'eu', tags: ['analytics'] };

export function factsWith(request: Partial<RequestFacts> = {}, rest: Partial<Omit<Facts, 'request'>> = {}): Facts {
  return {
    request: {
      class: 'order',
      origin: 'eu',
      categories: ['personal'],
      consents: [],
      purpose: 'contract',
      payload: {},
      ...request,
    },
    target,
    flow: { services: [], regions: [] },
    ...rest,
  };
}

export const always: Condition = { all: [] };
export const never: Condition = { not: always };

export const comparison = (fact: Comparison['fact'], path: string, operator: string, value: unknown): Comparison => ({
  fact,
  path,
  operator,
  value,
});

/** Rules named and numbered by their place. */
export function ruleSet(rules: Partial<ExpandedRule>[], rest: Partial<Omit<RuleSet, 'rules'>> = {}): RuleSet {
  const full = rules.map((rule, index): ExpandedRule => {
    const redacts = rule.effect === 'redact';
    return {
      index,
      id: `rule-${index}`,
      priority: 1,
      when: always,
      effect: 'deny',
      remove: redacts ? ['/email'] : [],
      pseudonymise: [],
      to: rule.effect === 'reroute' ? 'elsewhere' : undefined,
      ...rule,
    };
  });
  return { default: 'allow', conditions: {}, ...rest, rules: full };
}
