/** The oracle's own reader of rule files: numbers rules in file order and expands `forEach`. */
import type { Condition, Effect, RulesFile } from '@topo-bench/core/schema/rules';

/** A rule, or one expanded from a `forEach` rule. */
export interface Rule {
  /** Index among all rules. */
  index: number;
  id: string;
  priority: number;
  when: Condition;
  effect: Effect;
  remove: readonly string[];
  pseudonymise: readonly string[];
  to: string | undefined;
  /** Service that the rule is limited to. */
  service?: string;
}

export interface Rules {
  /** Effect when no rule matches. */
  default: 'allow' | 'deny';
  conditions: Readonly<Record<string, Condition>>;
  rules: readonly Rule[];
}

/**
 * @param file undefined for no rules: everything is allowed
 * @param services names of all services, alternatives included, in file order: a `forEach` rule stands for one rule per
 *   service, named `id@service`
 */
export function readRules(file: RulesFile | undefined, services: readonly string[]): Rules {
  const rules: Rule[] = [];
  for (const { id, priority, when, effect, redact, to, forEach } of file?.rules ?? []) {
    const read = { priority, when, effect, remove: redact?.remove ?? [], pseudonymise: redact?.pseudonymise ?? [], to };
    if (forEach === undefined) rules.push({ ...read, id, index: rules.length });
    else for (const service of services) rules.push({ ...read, id: `${id}@${service}`, index: rules.length, service });
  }
  return { default: file?.default ?? 'allow', conditions: file?.conditions ?? {}, rules };
}
