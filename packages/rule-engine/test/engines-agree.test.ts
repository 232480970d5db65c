/**
 * Both engines must name the same decision for every rule set and request: the library is the reference, random rule
 * sets, each with a random request, are the inputs: 40 000, of which `npm test` draws a fifth. The seed is fixed; a
 * failure prints the smallest case it shrank to.
 */
import {
  type Decision,
  type Facts,
  hash32,
  type RuleSet,
  ruleDecorators,
  ruleOperators,
  type TargetFacts,
} from '@topo-bench/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRuleEngine } from '../src/index.ts';
import { partitionRules } from '../src/partition-rules.ts';
import {
  crowdedRuleSetArbitrary,
  ruleSetArbitrary,
  stepArbitrary,
  targetsArbitrary,
  unkeyedRuleSetArbitrary,
} from './fixtures/rule-set-arbitrary.ts';

/** The share of the series that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.2;

test('both engines decide random requests, each over its own random rule set, alike, whole or in parts', {
  timeout: 600_000,
}, async () => {
  const ruleSets = 40_000 * share;
  const tally = await expectAgreement(ruleSetArbitrary, ruleSets, 1);
  expect(tally.distinctRuleSets).toBeGreaterThan(0.98 * ruleSets);
  // The inputs reach everything: each effect decides often, with one rule and with several, and so does the default.
  for (const effect of ['deny', 'reroute', 'redact', 'allow', 'default']) {
    expect(tally.byEffect.get(effect), effect).toBeGreaterThan(0.03 * tally.decisions);
  }
  expect(tally.ofSeveralRules).toBeGreaterThan(0.1 * tally.decisions);
  for (const name of [...ruleOperators, ...ruleDecorators]) {
    expect(tally.operators.get(name), name).toBeGreaterThan(0.05 * ruleSets);
  }
});

test('and over rule sets in which many rules share what an index looks up', async () => {
  const ruleSets = 1000 * share;
  const tally = await expectAgreement(crowdedRuleSetArbitrary, ruleSets, 2);
  expect(tally.distinctRuleSets).toBe(ruleSets);
  expect(tally.ofSeveralRules).toBeGreaterThan(0.1 * tally.decisions);
});

test('and over many rules that no map can look up', async () => {
  const ruleSets = 250 * share;
  const tally = await expectAgreement(unkeyedRuleSetArbitrary, ruleSets, 8);
  expect(tally.distinctRuleSets).toBe(ruleSets);
  expect(tally.ofSeveralRules).toBeGreaterThan(0.5 * tally.decisions);
});

/** Decides random requests over every rule set with both engines, and over its parts. */
async function expectAgreement(
  arbitrary: fc.Arbitrary<RuleSet>,
  ruleSets: number,
  requestsPerRuleSet: number,
): Promise<Tally> {
  const tally = new Tally();
  const steps = fc.array(stepArbitrary, { minLength: requestsPerRuleSet, maxLength: requestsPerRuleSet });
  await fc.assert(
    fc.asyncProperty(arbitrary, targetsArbitrary, steps, async (ruleSet, targets, requests) => {
      tally.ruleSet(ruleSet);
      const reference = await createRuleEngine('json-rules-engine', ruleSet, targets);
      const compiled = await createRuleEngine('compiled', ruleSet, targets);
      const parts = await Promise.all(
        targets.map((target) => createRuleEngine('compiled', partitionRules(ruleSet, [target]), [target])),
      );
      for (const step of requests) {
        const facts: Facts = { ...step, target: targets[step.target] as TargetFacts };
        const expected = await reference.decide(facts);
        tally.decision(expected);
        expectSame('compiled', compiled.decide(facts) as Decision, expected, ruleSet, facts);
        const part = parts[step.target]?.decide(facts) as Decision;
        expectSame('compiled, over the part of the target', part, expected, ruleSet, facts);
      }
    }),
    { numRuns: ruleSets, seed: 20_260_101 },
  );
  expect(tally.decisions).toBe(ruleSets * requestsPerRuleSet);
  return tally;
}

/** What the generated inputs amounted to. */
class Tally {
  decisions = 0;
  ofSeveralRules = 0;
  readonly byEffect = new Map<string, number>();
  readonly operators = new Map<string, number>();
  private readonly seen = new Set<number>();

  get distinctRuleSets(): number {
    return this.seen.size;
  }

  ruleSet(ruleSet: RuleSet): void {
    const text = JSON.stringify(ruleSet);
    this.seen.add(hash32(text));
    for (const [, operator] of text.matchAll(/"operator":"([^"]+)"/g)) {
      for (const part of (operator as string).split(':')) increment(this.operators, part);
    }
  }

  decision({ rule, effect, rules }: Decision): void {
    this.decisions++;
    if (rules.length > 1) this.ofSeveralRules++;
    increment(this.byEffect, rule === undefined ? 'default' : effect);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function expectSame(name: string, received: Decision, expected: Decision, ruleSet: RuleSet, facts: Facts): void {
  const [left, right] = [JSON.stringify(received), JSON.stringify(expected)];
  if (left === right) return;
  const used = ruleSet.rules
    .map(({ id, effect, priority, when }) => `  ${id} ${effect} ${priority}: ${show(when)}`)
    .join('\n');
  const named = Object.entries(ruleSet.conditions)
    .map(([key, condition]) => `  ${key}: ${show(condition)}`)
    .join('\n');
  throw new Error(
    `${name}: ${left}\njson-rules-engine: ${right}\nrules\n${used}\nconditions\n${named}\nfacts ${show(facts)}`,
  );
}

/** JSON, with the numbers that JSON lacks. */
function show(value: unknown): string {
  return fc.stringify(value);
}
