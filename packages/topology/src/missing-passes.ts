/**
 * Finds comparisons with which a restricting rule does not match a payload that lacks the member, or has null there.
 * The operators sound as if they held then: `doesNotContain` of an absent list, `everyFact` of one, the order of dates
 * written as text, a number below a limit.
 */
import { type DecoratedOperator, parseOperator, parseRulePath, type RuleSet } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';

export interface MissingPasses {
  reason: string;
  hint: string;
}

/**
 * @param named conditions without circles
 * @returns a function with the first such comparison of a condition
 */
export function missingPasses(named: RuleSet['conditions']): (condition: Condition) => MissingPasses | undefined {
  const known = new Map<string, MissingPasses | undefined>();
  /** @param holds whether the comparisons must be true for the rule to match */
  const find = (condition: Condition, holds: boolean): MissingPasses | undefined => {
    if ('all' in condition || 'any' in condition) {
      const members = 'all' in condition ? condition.all : condition.any;
      for (const member of members) {
        const found = find(member, holds);
        if (found) return found;
      }
      return undefined;
    }
    if ('not' in condition) return find(condition.not, !holds);
    if (!('condition' in condition)) return holds ? ofComparison(condition) : undefined;
    const { condition: name } = condition;
    const key = `${holds} ${name}`;
    if (!known.has(key)) known.set(key, find(named[name] as Condition, holds));
    return known.get(key);
  };
  return (condition) => find(condition, true);
}

function ofComparison({ fact, path = '$', operator, value }: Comparison): MissingPasses | undefined {
  const [member, ...deeper] = parseRulePath(path) ?? [];
  if (fact !== 'request' || member !== 'payload' || deeper.length === 0) return undefined;
  const parsed = parseOperator(operator);
  if (!parsed) return undefined;
  const what = `a request without ${path}, or with null there, passes: \`${operator}\` is false then`;
  if (parsed.decorators[0] === 'everyFact') {
    const hint = `write \`operator: "not:someFact:${negated(parsed)}"\`, which holds for a missing list too`;
    return { reason: what, hint };
  }
  if (parsed.decorators.length > 0) return undefined;
  if (parsed.base === 'doesNotContain')
    return { reason: what, hint: 'write `operator: "not:contains"`, which holds for a missing list too' };
  const isOrder = /^(less|greater)Than/.test(parsed.base);
  if (!isOrder) return undefined;
  const isText = typeof value === 'string' && Number.isNaN(Number(value));
  // A missing amount exceeds no limit. That a missing age is below none comes as a surprise.
  if (!isText && !parsed.base.startsWith('less')) return undefined;
  const opposite = `not:${parsed.base.startsWith('less') ? 'greaterThan' : 'lessThan'}${
    parsed.base.endsWith('Inclusive') ? '' : 'Inclusive'
  }`;
  return {
    reason: isText ? `${what}, and texts are ordered character by character` : what,
    hint: `write \`operator: "${opposite}"\`, which holds for a missing member too${isText ? ', and compare dates of one form' : ''}`,
  };
}

const opposites: Readonly<Record<string, string>> = {
  notEqual: 'equal',
  notIn: 'in',
  doesNotContain: 'contains',
  equal: 'notEqual',
  in: 'notIn',
};

/** What an element must not pass, for all of them to pass the operator behind `everyFact`. */
function negated({ decorators: [, ...rest], base }: DecoratedOperator): string {
  if (rest[0] === 'not') return [...rest.slice(1), base].join(':');
  return rest.length === 0 && opposites[base] !== undefined ? opposites[base] : ['not', ...rest, base].join(':');
}
