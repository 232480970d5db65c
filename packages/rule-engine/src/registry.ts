/** The engines by name, each loaded only when it is asked for: a process on the compiled engine never loads the library. */
import type { TargetFacts } from '@topo-bench/core/facts';
import type { RuleSet } from '@topo-bench/core/rule-set';
import type { Engine } from '@topo-bench/core/schema/topology';
import { checkRules } from './check-rules.ts';
import type { RuleEngine } from './rule-engine.ts';

type EngineFactory = (ruleSet: RuleSet, targets: readonly TargetFacts[]) => RuleEngine;

const engines: Record<Engine, () => Promise<EngineFactory>> = {
  compiled: async () => (await import('./compiled/engine.ts')).createEngine,
  'json-rules-engine': async () => (await import('./json-rules-engine/engine.ts')).createEngine,
};

/**
 * Builds the engine of that name over a rule set, or a part of one.
 * @param targets every service that it will be asked about, alternatives included
 * @throws TopoBenchError of `checkRules`
 */
export async function createRuleEngine(name: Engine, ruleSet: RuleSet, targets: readonly TargetFacts[]): Promise<RuleEngine> {
  checkRules(ruleSet);
  const create = await engines[name]();
  return create(ruleSet, targets);
}
