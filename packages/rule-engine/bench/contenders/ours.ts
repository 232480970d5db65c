/** The engines of this package, and json-rules-engine as a user with many targets would set it up. */
import type { Decision, Facts, RuleSet, TargetFacts } from '@topo-bench/core';
import type { Comparison } from '@topo-bench/core/schema/rules';
import type { Engine } from '@topo-bench/core/schema/topology';
import { partitionRules } from '../../src/partition-rules.ts';
import { createRuleEngine } from '../../src/registry.ts';
import type { RuleEngine } from '../../src/rule-engine.ts';
import { type BenchCondition, type BenchRule, memberPaths } from '../workloads.ts';
import type { Contender } from './contender.ts';

export function ours(name: Engine): Contender {
  return {
    name,
    async load({ rules, targets, facts }) {
      const engine = await createRuleEngine(name, ruleSetOf(rules), targets);
      return { decide: (i) => engine.decide(facts[i] as Facts), matched };
    },
  };
}

/** One engine per target with the rules of that target alone, in place of one engine with all rules. */
export const partitioned: Contender = {
  name: 'json-rules-engine, an engine per target',
  async load({ rules, targets, facts }) {
    if (targets.length === 1) return 'there is one target: the row above is the same';
    const ruleSet = ruleSetOf(rules);
    const engines = new Map<string, RuleEngine>();
    for (const target of targets) engines.set(target.service, await engineOf(ruleSet, target));
    const engineFor = facts.map(({ target }) => engines.get(target.service) as RuleEngine);
    return { decide: (i) => (engineFor[i] as RuleEngine).decide(facts[i] as Facts), matched };
  },
};

function engineOf(ruleSet: RuleSet, target: TargetFacts): Promise<RuleEngine> {
  return createRuleEngine('json-rules-engine', partitionRules(ruleSet, [target]), [target]);
}

const matched = (answer: unknown): string[] => (answer as Decision).rules.slice();

function ruleSetOf(rules: readonly BenchRule[]): RuleSet {
  return {
    default: 'allow',
    conditions: {},
    rules: rules.map(({ id, service, conditions }, index) => {
      const all = conditions.map(comparisonOf);
      if (service) all.unshift({ fact: 'target', path: '$.service', operator: 'equal', value: service });
      return { index, id, priority: 1, when: { all }, effect: 'deny', remove: [], pseudonymise: [], to: undefined };
    }),
  };
}

const operators: Readonly<Record<BenchCondition['kind'], string>> = {
  equal: 'equal',
  element: 'contains',
  oneOf: 'in',
  above: 'greaterThan',
  other: 'notEqual',
  substring: 'swap:in',
};

function comparisonOf(condition: BenchCondition): Comparison {
  return {
    fact: 'request',
    path: ['$', ...memberPaths[condition.member]].join('.'),
    operator: operators[condition.kind],
    value: condition.kind === 'oneOf' ? condition.values : condition.value,
  };
}
