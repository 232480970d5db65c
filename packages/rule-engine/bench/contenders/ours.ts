/** The two engines of this package. */
import type { Decision, Facts } from '@topo-bench/core/facts';
import type { RuleSet } from '@topo-bench/core/rule-set';
import type { Comparison } from '@topo-bench/core/schema/rules';
import type { Engine } from '@topo-bench/core/schema/topology';
import { createRuleEngine } from '../../src/registry.ts';
import type { BenchRule } from '../workloads.ts';
import type { Contender } from './contender.ts';

export function ours(name: Engine): Contender {
  return {
    name,
    async load({ rules, targets, facts }) {
      const engine = await createRuleEngine(name, ruleSetOf(rules), targets);
      return {
        decide: (i) => engine.decide(facts[i] as Facts),
        matched: (answer) => (answer as Decision).rules,
      };
    },
  };
}

function ruleSetOf(rules: readonly BenchRule[]): RuleSet {
  return {
    default: 'allow',
    conditions: {},
    rules: rules.map(({ id, service, origin, category, purposes }, index) => {
      const conditions: Comparison[] = [
        { fact: 'request', path: '$.origin', operator: 'equal', value: origin },
        { fact: 'request', path: '$.categories', operator: 'contains', value: category },
        { fact: 'request', path: '$.purpose', operator: 'in', value: purposes },
      ];
      if (service) conditions.unshift({ fact: 'target', path: '$.service', operator: 'equal', value: service });
      return { index, id, priority: 1, when: { all: conditions }, effect: 'deny', remove: [], pseudonymise: [], to: undefined };
    }),
  };
}
