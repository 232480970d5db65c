/** The reasons that `rules explain` gives. */
import { expect, test } from 'vitest';
import { explain } from '../src/explain.ts';
import { comparison, factsWith, ruleSet } from './facts.ts';

const origin = (region: string) => comparison('request', '$.origin', 'equal', region);
const personal = comparison('request', '$.categories', 'contains', 'personal');
const failedOf = (when: Parameters<typeof ruleSet>[0][number]['when']) =>
  explain(ruleSet([when ? { when } : {}], { conditions: { abroad: { not: personal } } }), factsWith()).rules[0]?.failed;

test('a rule that matches is reported as matching, and the decision is the one that engines make', () => {
  const { decision, rules } = explain(
    ruleSet([{ when: origin('us') }, { effect: 'allow' }, { when: personal }]),
    factsWith(),
  );
  expect(rules.map(({ rule, matched }) => [rule, matched])).toEqual([
    ['rule-0', false],
    ['rule-1', true],
    ['rule-2', true],
  ]);
  expect(decision).toMatchObject({ effect: 'deny', rule: 'rule-2', rules: ['rule-2', 'rule-1'] });
  expect(rules[1]?.failed).toEqual([]);
});

test('of an all, the first comparison that failed is given with the actual value', () => {
  expect(failedOf({ all: [personal, origin('us'), origin('ch')] })).toEqual([
    { place: 'when.all[1]', comparison: 'request $.origin equal "us"', actual: 'eu', expected: 'us', negated: false },
  ]);
});

test('of an any, every comparison is given, since each would have sufficed', () => {
  const failed = failedOf({ any: [origin('us'), { all: [personal, origin('ch')] }] });
  expect(failed?.map(({ place }) => place)).toEqual(['when.any[0]', 'when.any[1].all[1]']);
});

test('under not, true conditions are listed; a named condition is listed at its own place', () => {
  expect(failedOf({ not: { any: [origin('us'), origin('eu'), personal] } })).toMatchObject([
    { place: 'when.not.any[1]', actual: 'eu', negated: true },
  ]);
  expect(failedOf({ not: { all: [origin('eu'), personal] } })).toHaveLength(2);
  expect(failedOf({ condition: 'abroad' })).toMatchObject([{ place: 'conditions.abroad.not', actual: ['personal'] }]);
});

test('another fact as value is looked up', () => {
  expect(failedOf(comparison('request', '$.purpose', 'equal', { fact: 'target', path: '$.region' }))).toEqual([
    {
      place: 'when',
      comparison: 'request $.purpose equal target $.region',
      actual: 'contract',
      expected: 'eu',
      negated: false,
    },
  ]);
});

test('a named condition that is referred to many times is listed once', () => {
  const twice = (next: string) => ({ any: [{ condition: next }, { condition: next }] });
  const conditions = { c0: twice('c1'), c1: twice('c2'), c2: twice('c3'), c3: { any: [origin('us'), origin('ch')] } };
  const { rules } = explain(ruleSet([{ when: { condition: 'c0' } }], { conditions }), factsWith());
  expect(rules[0]?.failed.map(({ place }) => place)).toEqual(['conditions.c3.any[0]', 'conditions.c3.any[1]']);
});
