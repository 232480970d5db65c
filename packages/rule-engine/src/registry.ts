/**
 * The registry of rule engines. The library is loaded on first use: a process on the compiled engine never loads it.
 */
import type { RuleSet, TargetFacts } from '@topo-bench/core';
import type { Engine } from '@topo-bench/core/schema/topology';
import { checkRules } from './check-rules.ts';
import { createEngine } from './compiled/engine.ts';
import type { RuleEngine } from './rule-engine.ts';

type EngineFactory = (ruleSet: RuleSet, targets: readonly TargetFacts[]) => RuleEngine;

const engines: Readonly<Record<Engine, () => Promise<EngineFactory>>> = {
  compiled: async () => createEngine,
  'json-rules-engine': async () => (await import('./json-rules-engine/engine.ts')).createEngine,
};

export const engineNames = Object.keys(engines) as readonly Engine[];

/**
 * Builds the engine of that name over a rule set, or a part of one.
 * @param targets every service of later decisions, alternatives included
 * @throws TopoBenchError of `checkRules`
 */
export async function createRuleEngine(
  name: Engine,
  ruleSet: RuleSet,
  targets: readonly TargetFacts[],
): Promise<RuleEngine> {
  checkRules(ruleSet);
  const create = await engines[name]();
  return create(ruleSet, targets);
}
