/** The reference engine against the library as it comes, and under requests that overlap. */
import type { Facts, RuleSet, TargetFacts } from '@topo-bench/core';
import fc from 'fast-check';
import { Engine } from 'json-rules-engine';
import { expect, test } from 'vitest';
import { topLevelCondition } from '../../src/json-rules-engine/engine.ts';
import { createRuleEngine } from '../../src/registry.ts';
import { comparison, factsWith, ruleSet, target } from '../facts.ts';
import { ruleSetArbitrary, stepArbitrary, targetsArbitrary } from '../fixtures/rule-set-arbitrary.ts';

test('matches the rules that the plain library matches, except where that throws', {
  timeout: 60_000,
}, async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      ruleSetArbitrary.filter(hasPlainPaths),
      targetsArbitrary,
      stepArbitrary,
      async (rules, targets, step) => {
        const facts: Facts = { ...step, target: targets[step.target] as TargetFacts };
        const plain = await plainMatches(rules, facts);
        if (!plain) return;
        compared++;
        const engine = await createRuleEngine('json-rules-engine', rules, targets);
        expect([...(await engine.decide(facts)).rules].sort()).toEqual(plain);
      },
    ),
    { numRuns: 1500, seed: 7 },
  );
  expect(compared).toBeGreaterThan(500);
});

test('requests that overlap are decided as if they came one by one', async () => {
  const rules = ruleSet(
    ['eu', 'us', 'ch'].map((origin, i) => ({
      priority: i + 1,
      when: comparison('request', '$.origin', 'equal', origin),
    })),
  );
  const engine = await createRuleEngine('json-rules-engine', rules, [target]);
  const origins = Array.from({ length: 300 }, (_, i) => ['eu', 'us', 'ch', 'in'][i % 4] as string);
  const decisions = await Promise.all(
    origins.map(async (origin, i) => {
      // Calls start in different turns of the microtask queue, as they do between requests.
      for (let turn = 0; turn < i; turn++) await undefined;
      return engine.decide(factsWith({ origin }));
    }),
  );
  expect(decisions.map(({ rule }) => rule)).toEqual(
    origins.map((origin) => ({ eu: 'rule-0', us: 'rule-1', ch: 'rule-2' })[origin]),
  );
});

/** JSONPath also reaches into texts and prototypes, which our paths do not. */
function hasPlainPaths(rules: RuleSet): boolean {
  return !/"path":"[^"]*(length|__proto__|constructor|toString|x\[1\])/.test(JSON.stringify(rules));
}

/** Ids of the rules that match in the plain library; undefined when it throws. */
async function plainMatches(rules: RuleSet, { request, target, flow }: Facts): Promise<string[] | undefined> {
  const engine = new Engine([], { allowUndefinedFacts: true });
  for (const [name, condition] of Object.entries(rules.conditions))
    engine.setCondition(name, topLevelCondition(condition));
  for (const { id, when } of rules.rules) {
    engine.addRule({ name: id, conditions: topLevelCondition(when), event: { type: 'match' } });
  }
  try {
    const { results } = await engine.run({ request, target, flow });
    return results.map(({ name }) => name).sort();
  } catch {
    return undefined;
  }
}
