/**
 * Expands the rules of a file for the engines: numbers places, and turns `forEach: services` into one rule per service.
 */
import type { ExpandedRule, RuleSet } from '@topo-bench/core';
import type { Condition, Rule, RulesFile } from '@topo-bench/core/schema/rules';

/** The rule set of a topology without a rule file: everything is allowed. */
export const noRules: RuleSet = { default: 'allow', conditions: {}, rules: [] };

/**
 * @param services all services, alternatives included, in file order
 * @returns rules in file order; rules from one `forEach` follow the order of the services, with the id `id@service`
 */
export function expandRules(file: RulesFile, services: readonly { readonly name: string }[]): RuleSet {
  const rules = file.rules.flatMap((rule) =>
    rule.forEach === undefined
      ? [expanded(rule, rule.id, rule.when)]
      : services.map(({ name }) => expanded(rule, `${rule.id}@${name}`, onlyFor(name, rule.when))),
  );
  return {
    default: file.default,
    conditions: file.conditions,
    rules: rules.map((rule, index) => ({ ...rule, index })),
  };
}

function expanded(rule: Rule, id: string, when: Condition): ExpandedRule {
  return {
    index: 0,
    id,
    priority: rule.priority,
    when,
    effect: rule.effect,
    remove: rule.redact?.remove ?? [],
    pseudonymise: rule.redact?.pseudonymise ?? [],
    to: rule.to,
  };
}

function onlyFor(service: string, when: Condition): Condition {
  return { all: [{ fact: 'target', path: '$.service', operator: 'equal', value: service }, when] };
}
