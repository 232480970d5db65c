/**
 * Explains every rule for the verb `rules explain`: whether it matches and, if not, which conditions failed on which
 * values.
 */
import { type Decision, type ExpandedRule, type Facts, formatPlace, type RuleSet } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { checkRules } from './check-rules.ts';
import { compareRank, decisionOf, defaultDecision } from './decision.ts';
import { operandValue, resolveComparison } from './expression.ts';

/** One comparison on which a rule failed. */
export interface FailedComparison {
  /** Path of the comparison: `when.all[1]`, or `conditions.eu-data.any[0]` in a named condition. */
  place: string;
  /** As written: `request $.origin equal "eu"`. */
  comparison: string;
  /** Value of the fact on the left; undefined when it is missing. */
  actual: unknown;
  /** Value on the right, looked up when it is a fact. */
  expected: unknown;
  /** The comparison is under `not`: it is true and must be false. */
  negated: boolean;
}

export interface RuleExplanation {
  rule: string;
  index: number;
  effect: ExpandedRule['effect'];
  matched: boolean;
  /** Failed comparisons: the first one of an `all`, every one of an `any`. Empty when the rule matched. */
  failed: FailedComparison[];
}

export interface Explanation {
  decision: Decision;
  /** Every rule, in file order. */
  rules: RuleExplanation[];
}

/** @throws TopoBenchError of `checkRules` */
export function explain(ruleSet: RuleSet, facts: Facts): Explanation {
  checkRules(ruleSet);
  const explainer = new Explainer(ruleSet.conditions, facts);
  const rules = ruleSet.rules.map(({ id, index, effect, when }): RuleExplanation => {
    const matched = explainer.holds(when);
    return { rule: id, index, effect, matched, failed: matched ? [] : explainer.failuresOf(when) };
  });
  const matching = ruleSet.rules.filter((_, i) => rules[i]?.matched).sort(compareRank);
  return { decision: matching.length > 0 ? decisionOf(matching) : defaultDecision(ruleSet.default), rules };
}

type Place = readonly (string | number)[];

class Explainer {
  /** Results of named conditions, which may be referred to many times. */
  private readonly known = new Map<string, boolean>();
  /** Named conditions whose comparisons are among the failures of the rule already, with the value that was wanted. */
  private listed = new Set<string>();

  constructor(
    private readonly named: RuleSet['conditions'],
    private readonly facts: Facts,
  ) {}

  holds(condition: Condition): boolean {
    if ('all' in condition) return condition.all.every((member) => this.holds(member));
    if ('any' in condition) return condition.any.length === 0 || condition.any.some((member) => this.holds(member));
    if ('not' in condition) return !this.holds(condition.not);
    if ('condition' in condition) {
      const name = condition.condition;
      const holds = this.known.get(name) ?? this.holds(this.named[name] as Condition);
      this.known.set(name, holds);
      return holds;
    }
    const { test, left, right } = resolveComparison(condition);
    return test(operandValue(left, this.facts), operandValue(right, this.facts));
  }

  /** The comparisons that keep a rule from matching, each once. */
  failuresOf(when: Condition): FailedComparison[] {
    this.listed = new Set();
    return this.failures(when, true, ['when']);
  }

  /** The comparisons that keep a condition from being `wanted`. The caller has checked that it is not. */
  private failures(condition: Condition, wanted: boolean, place: Place): FailedComparison[] {
    if ('all' in condition) return this.listFailures(condition.all, wanted, [...place, 'all'], wanted);
    if ('any' in condition) return this.listFailures(condition.any, wanted, [...place, 'any'], !wanted);
    if ('not' in condition) return this.failures(condition.not, !wanted, [...place, 'not']);
    if ('condition' in condition) {
      const name = condition.condition;
      const key = `${wanted} ${name}`;
      if (this.listed.has(key)) return [];
      this.listed.add(key);
      return this.failures(this.named[name] as Condition, wanted, ['conditions', name]);
    }
    return [this.failure(condition, !wanted, place)];
  }

  /** @param one whether a single member decides the list; only the first such member is then reported */
  private listFailures(members: readonly Condition[], wanted: boolean, place: Place, one: boolean): FailedComparison[] {
    const atFault = [...members.entries()].filter(([, member]) => this.holds(member) !== wanted);
    return (one ? atFault.slice(0, 1) : atFault).flatMap(([i, member]) => this.failures(member, wanted, [...place, i]));
  }

  private failure(comparison: Comparison, negated: boolean, place: Place): FailedComparison {
    const { left, right } = resolveComparison(comparison);
    return {
      place: formatPlace(place),
      comparison: formatComparison(comparison),
      actual: operandValue(left, this.facts),
      expected: operandValue(right, this.facts),
      negated,
    };
  }
}

function formatComparison({ fact, path, operator, value }: Comparison): string {
  const isFact = typeof value === 'object' && value !== null && 'fact' in value;
  const right = isFact ? formatFact(value as { fact: string; path?: string }) : JSON.stringify(value);
  return `${formatFact({ fact, ...(path === undefined ? {} : { path }) })} ${operator} ${right}`;
}

function formatFact({ fact, path }: { fact: string; path?: string }): string {
  return path === undefined ? fact : `${fact} ${path}`;
}
