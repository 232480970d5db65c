/** The rules that a payload could meet: none that matches may be missing, and known facts exclude rules. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine } from '../src/compiled/engine.ts';
import { certainRules, possibleRules } from '../src/possible-rules.ts';
import { comparison, factsWith, ruleSet } from './facts.ts';
import { ruleSetArbitrary, stepArbitrary, targetsArbitrary } from './fixtures/rule-set-arbitrary.ts';

test('every rule that matches some payload is among the possible rules, which do not depend on the payload', () => {
  const inputs = fc.tuple(ruleSetArbitrary, targetsArbitrary, stepArbitrary);
  let excluded = 0;
  fc.assert(
    fc.property(inputs, ([rules, targets, { target, ...step }]) => {
      const facts = { ...step, target: targets[target] as (typeof targets)[number] };
      const possible = possibleRules(rules);
      const ids = possible(facts).map(({ id }) => id);
      const request = { ...facts.request, payload: undefined };
      expect(possible({ ...facts, request }).map(({ id }) => id)).toEqual(ids);
      for (const rule of rules.rules) {
        if (ids.includes(rule.id)) continue;
        excluded++;
        const { ruleIndex } = createEngine({ ...rules, rules: [rule] }, targets).decide(facts);
        expect(ruleIndex, rule.id).toBe(-1);
      }
    }),
    { numRuns: 1000, seed: 1 },
  );
  expect(excluded).toBeGreaterThan(100);
});

test('facts of the call exclude a rule, whatever the payload; the whole request counts as payload', () => {
  const vip = comparison('request', '$.payload.customer', 'equal', 'vip');
  const audit = comparison('request', '$.purpose', 'equal', 'audit');
  const rules = ruleSet([
    { when: { all: [vip, { not: audit }] } },
    { when: { any: [vip, audit] } },
    { when: { all: [audit, comparison('request', '$', 'notEqual', 1)] } },
    { when: comparison('request', '$.payload.customer', 'equal', { fact: 'request', path: '$.purpose' }) },
  ]);
  const idsFor = (purpose: string) => possibleRules(rules)(factsWith({ purpose })).map(({ id }) => id);
  expect(idsFor('audit')).toEqual(['rule-1', 'rule-2', 'rule-3']);
  expect(idsFor('marketing')).toEqual(['rule-0', 'rule-1', 'rule-3']);
});

test('a rule is certain where known facts meet it, whatever the unknown members are', () => {
  const [eu, audit] = [
    comparison('request', '$.origin', 'equal', 'eu'),
    comparison('request', '$.purpose', 'equal', 'audit'),
  ];
  const vip = comparison('request', '$.payload.customer', 'equal', 'vip');
  const rules = ruleSet(
    [
      { when: audit },
      { when: { any: [vip, audit] } },
      { when: { all: [vip, audit] } },
      { when: { any: [eu, { not: { condition: 'vip' } }] } },
      { when: comparison('request', '$', 'equal', 1) },
    ],
    { conditions: { vip } },
  );
  const idsFor = (purpose: string, unknown: readonly string[]) =>
    certainRules(rules)(factsWith({ purpose, origin: 'eu', payload: {} }), ([first = '']) =>
      unknown.includes(first),
    ).map(({ id }) => id);
  expect(idsFor('audit', ['payload', 'origin', ''])).toEqual(['rule-0', 'rule-1']);
  expect(idsFor('audit', ['payload', ''])).toEqual(['rule-0', 'rule-1', 'rule-3']);
  expect(idsFor('x', ['origin'])).toEqual(['rule-3']);
  expect(idsFor('x', ['origin', 'payload'])).toEqual([]);
});
