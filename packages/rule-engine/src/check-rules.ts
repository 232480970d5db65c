/** Rejects rule sets that cannot be evaluated. All engines accept and reject the same sets. */
import {
  type ConditionProblem,
  checkCondition,
  checkNamedConditions,
  checkReferredSize,
  type ExpandedRule,
  formatPlace,
  type RuleSet,
  TopoBenchError,
} from '@topo-bench/core';

const namedAtMost = 10;

/**
 * @throws TopoBenchError with the code of the first problem (`TB_RULES_…`); its message names up to ten problems,
 * each as `rule "eu-only", when.all[1].path: …`
 */
export function checkRules(ruleSet: RuleSet): void {
  const problems = [
    ...checkNamedConditions(ruleSet.conditions).map((problem) => named(problem, 'conditions')),
    ...ruleSet.rules.flatMap((rule) => [
      ...checkCondition(rule.when, ruleSet.conditions).map((problem) => named(problem, 'when', rule.id)),
      ...checkEffect(rule).map((problem) => named(problem, undefined, rule.id)),
    ]),
    ...checkSizes(ruleSet),
  ];
  const first = problems[0];
  if (!first) return;
  const lines = problems.slice(0, namedAtMost).map((problem) => problem.message);
  if (problems.length > namedAtMost) lines.push(`and ${problems.length - namedAtMost} more`);
  throw new TopoBenchError(first.code, lines.join('\n'), { hint: first.hint });
}

/** The limit is for each rule: `forEach` multiplies rules, and each of them is for one target. */
function checkSizes({ rules, conditions }: RuleSet): ConditionProblem[] {
  const whens = rules.map(({ when }) => when);
  return checkReferredSize(whens, conditions, false).map((problem) =>
    named({ ...problem, place: [] }, 'when', rules[Number(problem.place[0])]?.id),
  );
}

/** Checks the fields that the effect of a rule requires. */
function checkEffect({ effect, to, remove, pseudonymise }: ExpandedRule): ConditionProblem[] {
  const problem = (place: string, message: string, hint: string): ConditionProblem[] => [
    { code: 'TB_RULES_EFFECT', place: [place], message, hint },
  ];
  if (effect === 'reroute' && to === undefined) {
    return problem('to', 'the rule reroutes to nowhere', 'name the alternative service in `to`');
  }
  if (effect === 'redact' && remove.length + pseudonymise.length === 0) {
    return problem(
      'redact',
      'the rule redacts nothing',
      'list JSON pointers in `redact.remove` or `redact.pseudonymise`',
    );
  }
  return [];
}

function named(problem: ConditionProblem, member: string | undefined, rule?: string): ConditionProblem {
  const place = formatPlace(member === undefined ? problem.place : [member, ...problem.place]);
  const where = rule === undefined ? place : `rule ${JSON.stringify(rule)}, ${place}`;
  return { ...problem, message: `${where}: ${problem.message}` };
}
