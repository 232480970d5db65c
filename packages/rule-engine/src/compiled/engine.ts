/**
 * The compiled engine. For each target, conditions on its facts are folded at load, and the others become closures. An
 * index selects the rules that a request can match. Rules about other targets add no cost.
 */
import type { Decision, ExpandedRule, Facts, RuleSet, TargetFacts } from '@topo-bench/core';
import { compareRank, decisionOf, defaultDecision } from '../decision.ts';
import { type Expression, resolveConditions } from '../expression.ts';
import { evaluateForTarget } from '../partial-evaluation.ts';
import { type SynchronousRuleEngine, unknownTarget } from '../rule-engine.ts';
import { buildIndex, type CandidateIndex, visitCandidates } from './candidate-index.ts';
import { nothing } from './candidate-keys.ts';
import { type ConditionTest, compileCondition } from './conditions.ts';
import { Slots, type SlotValues } from './slots.ts';

/** @param ruleSet one that `checkRules` accepts */
export function createEngine(ruleSet: RuleSet, targets: readonly TargetFacts[]): SynchronousRuleEngine {
  const rules = [...ruleSet.rules].sort(compareRank);
  const expressions = resolveConditions(
    rules.map(({ when }) => when),
    ruleSet.conditions,
  );
  const ranked = rules.map((rule, rank) => ({ rule, expression: expressions[rank] as Expression }));
  const fallback = defaultDecision(ruleSet.default);
  const programs = new Map(targets.map((target) => [target.service, new TargetProgram(ranked, target, fallback)]));
  return {
    decide(facts) {
      const program = programs.get(facts.target.service);
      if (!program) throw unknownTarget(facts.target.service, targets);
      return program.decide(facts);
    },
  };
}

/** A rule that can match when its keys are met. */
interface Candidate {
  readonly rank: number;
  readonly rule: ExpandedRule;
  /** Remaining condition. */
  readonly test: ConditionTest;
  /** The decision when no other rule matches. */
  readonly alone: Decision;
}

class TargetProgram {
  private readonly slots = new Slots();
  private readonly values: SlotValues;
  private readonly index: CandidateIndex<Candidate>;
  private readonly fallback: Decision;
  private matching: Candidate[] = [];

  constructor(
    ranked: readonly { readonly rule: ExpandedRule; readonly expression: Expression }[],
    target: TargetFacts,
    fallback: Decision,
  ) {
    const entries = ranked.flatMap(({ rule, expression: whole }, rank) => {
      const rest = evaluateForTarget(whole, target);
      if (rest === false) return [];
      return [{ item: { rank, rule, alone: decisionOf([rule]) }, expression: rest === true ? nothing : rest }];
    });
    this.index = buildIndex(entries, this.slots, ({ item, expression }) => ({
      ...item,
      test: compileCondition(expression, this.slots),
    }));
    this.values = new Array(this.slots.count).fill(undefined);
    this.fallback = fallback;
  }

  decide(facts: Facts): Decision {
    this.slots.read(facts, this.values);
    visitCandidates(this.index, this.values, this.evaluate);
    const matching = this.matching;
    const first = matching[0];
    if (!first) return this.fallback;
    this.matching = [];
    return matching.length === 1 ? first.alone : decisionOf(inRankOrder(matching));
  }

  private readonly evaluate = (candidate: Candidate): void => {
    if (candidate.test(this.values)) this.matching.push(candidate);
  };
}

/** Sorts matches and removes duplicates: several keys of one rule may have been met. */
function inRankOrder(matching: Candidate[]): ExpandedRule[] {
  matching.sort((a, b) => a.rank - b.rank);
  return matching.filter(({ rank }, i) => rank !== matching[i - 1]?.rank).map(({ rule }) => rule);
}
