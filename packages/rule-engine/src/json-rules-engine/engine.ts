/**
 * The reference engine: json-rules-engine evaluates every rule on every request, in the usual way. Our own parts are
 * the paths (member and index steps), total operators, and the decision from the rules that matched.
 */
import {
  type Decision,
  type ExpandedRule,
  type Facts,
  parseRulePath,
  type RuleSet,
  type TargetFacts,
} from '@topo-bench/core';
import type { Condition } from '@topo-bench/core/schema/rules';
import { Engine, type TopLevelCondition } from 'json-rules-engine';
import { compareRank, decisionOf, defaultDecision } from '../decision.ts';
import { valueAt } from '../expression.ts';
import { type RuleEngine, unknownTarget } from '../rule-engine.ts';
import { makeOperatorsTotal } from './total-operators.ts';

/** @param ruleSet one that `checkRules` accepts */
export function createEngine(ruleSet: RuleSet, targets: readonly TargetFacts[]): RuleEngine {
  const ranked = [...ruleSet.rules].sort(compareRank);
  const fallback = defaultDecision(ruleSet.default);
  const targetOf = new Map(targets.map((target) => [target.service, target]));
  const engine = libraryEngine(ranked, ruleSet.conditions);
  // The library keeps the state of a run in the engine. The end of one run stops concurrent ones, which silently skip
  // rules. Runs are therefore serialised; they do no I/O, and the order costs nothing.
  let previous: Promise<unknown> = Promise.resolve();

  async function run(facts: Facts, target: TargetFacts): Promise<Decision> {
    const { results } = await engine.run({ ...facts, target });
    if (results.length === 0) return fallback;
    const matching = results.map(({ name }) => ranked[Number(name)] as ExpandedRule).sort(compareRank);
    return decisionOf(matching);
  }

  return {
    decide(facts) {
      const target = targetOf.get(facts.target.service);
      if (!target) throw unknownTarget(facts.target.service, targets);
      const decision = previous.then(() => run(facts, target));
      previous = decision.catch(() => undefined);
      return decision;
    },
  };
}

function libraryEngine(rules: readonly ExpandedRule[], conditions: RuleSet['conditions']): Engine {
  const engine = new Engine([], { allowUndefinedFacts: true, pathResolver: memberPathResolver() });
  makeOperatorsTotal(engine);
  for (const [name, condition] of Object.entries(conditions)) engine.setCondition(name, topLevelCondition(condition));
  // The same priority for all: one round of evaluation. Precedence is applied afterwards, to all matches.
  rules.forEach((rule, rank) => {
    engine.addRule({ name: String(rank), conditions: topLevelCondition(rule.when), event: { type: rule.effect } });
  });
  return engine;
}

/** Replaces the library's JSONPath, which would run filters and scripts. */
function memberPathResolver(): (value: object, path: string) => unknown {
  const parsed = new Map<string, string[]>();
  return (value, path) => {
    let steps = parsed.get(path);
    if (!steps) {
      steps = parseRulePath(path) as string[];
      parsed.set(path, steps);
    }
    return valueAt(value, steps);
  };
}

/**
 * The condition as the library accepts it at the root of a rule or under a name: a copy, which the library modifies,
 * with a list around a single comparison.
 */
export function topLevelCondition(condition: Condition): TopLevelCondition {
  const copy = structuredClone('fact' in condition ? { all: [condition] } : condition);
  return copy as TopLevelCondition;
}
