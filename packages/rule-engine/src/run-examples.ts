/** Runs the examples of a rule file with every engine, for the verb `rules test`. */
import type { Decision, Facts, RuleSet } from '@topo-bench/core';
import type { RuleExample } from '@topo-bench/core/schema/rules';
import type { Engine } from '@topo-bench/core/schema/topology';
import { createRuleEngine, engineNames } from './registry.ts';

export interface ExampleResult {
  /** Index in `examples`. */
  index: number;
  name: string;
  passed: boolean;
  /** Decision of the compiled engine. */
  decision: Decision;
  /** Differences from the expectation, or between the engines; empty when passed. */
  problems: string[];
}

/** The distinct services of the examples. Without a topology, `forEach` rules are expanded over them. */
export function exampleServices(examples: readonly RuleExample[]): { name: string }[] {
  return [...new Set(examples.map(({ target }) => target.service))].map((name) => ({ name }));
}

/**
 * @param ruleSet the file's rules, expanded over at least `exampleServices`
 * @returns a result per example, in order
 * @throws TopoBenchError of `checkRules`
 */
export async function runExamples(ruleSet: RuleSet, examples: readonly RuleExample[]): Promise<ExampleResult[]> {
  const results: ExampleResult[] = [];
  for (const [index, example] of examples.entries()) {
    const facts = factsOf(example);
    const decisions = await decisionsOf(ruleSet, facts);
    const decision = decisions[0].decision;
    const problems = [...differences(example.expect, decision), ...disagreements(decisions)];
    results.push({ index, name: example.name, passed: problems.length === 0, decision, problems });
  }
  return results;
}

/** The facts that an example describes. */
export function factsOf({ request, target, flow }: RuleExample): Facts {
  return { request: { ...request, class: request.class ?? 'example' }, target, flow };
}

function differences(expect: RuleExample['expect'], decision: Decision): string[] {
  const problems: string[] = [];
  if (decision.effect !== expect.effect) problems.push(`expected the effect ${expect.effect}, got ${decision.effect}`);
  if (expect.rule !== undefined && decision.rule !== expect.rule) {
    problems.push(`expected the rule ${expect.rule}, got ${decision.rule ?? 'the default effect'}`);
  }
  if (expect.rules !== undefined && expect.rules.join() !== decision.rules.join()) {
    problems.push(`expected the matching rules ${list(expect.rules)}, got ${list(decision.rules)}`);
  }
  return problems;
}

interface EngineDecision {
  engine: Engine;
  decision: Decision;
}

/** Decisions of all engines on the same facts, in registry order. */
async function decisionsOf(ruleSet: RuleSet, facts: Facts): Promise<[EngineDecision, ...EngineDecision[]]> {
  const decisions: EngineDecision[] = [];
  for (const name of engineNames) {
    const engine = await createRuleEngine(name, ruleSet, [facts.target]);
    decisions.push({ engine: name, decision: await engine.decide(facts) });
  }
  return decisions as [EngineDecision, ...EngineDecision[]];
}

function disagreements([first, ...others]: readonly [EngineDecision, ...EngineDecision[]]): string[] {
  const expected = JSON.stringify(first.decision);
  return others
    .map(({ engine, decision }) => ({ engine, got: JSON.stringify(decision) }))
    .filter(({ got }) => got !== expected)
    .map(({ engine, got }) => `the engines disagree: ${first.engine} ${expected}, ${engine} ${got}`);
}

function list(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.join(', ');
}
