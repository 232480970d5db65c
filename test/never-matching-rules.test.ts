import type { RulesFile } from '@topo-bench/core/schema/rules';
import { createRuleEngine } from '@topo-bench/rule-engine';
import { expandRules, loadRules, neverReasons } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ruleSetArbitrary,
  stepArbitrary,
  targetsArbitrary,
} from '../packages/rule-engine/test/fixtures/rule-set-arbitrary.ts';

const warningsOf = (when: string, conditions = ''): string[] => {
  const text = `apiVersion: topo-bench/v1\nkind: Rules\nname: r\n${conditions}rules:\n  - { id: no, effect: deny, when: ${when} }\n`;
  const { problems } = loadRules({ text, file: 'r.yaml' });
  return problems.map(({ code, severity, message, line }) => {
    expect([code, severity, line]).toEqual(['TB_RULES_NEVER_MATCHES', 'warning', conditions === '' ? 5 : 6]);
    return message;
  });
};

describe('validate warns of a rule that can never match', () => {
  it.each([
    [
      '{ fact: request, path: $.origin, operator: contains, value: eu }',
      'request $.origin is a text, and `contains` holds for lists only',
    ],
    ['{ fact: request, path: $.origin, operator: doesNotContain, value: eu }', 'is a text, and `doesNotContain` holds'],
    ['{ fact: target, path: $.region, operator: "someFact:equal", value: eu }', 'is a text, and `someFact` holds'],
    [
      '{ fact: request, path: $.categories, operator: equal, value: health }',
      'is a list, which equals no value of a rule',
    ],
    ['{ fact: flow, path: $.regions, operator: in, value: [eu, us] }', 'is a list, which equals no value of a rule'],
    ['{ fact: request, path: $.origin.length, operator: equal, value: 2 }', 'leads below a value that has no members'],
    [
      '{ all: [{ fact: request, path: $.purpose, operator: equal, value: x }, { fact: request, path: $.class, operator: contains, value: a }] }',
      'request $.class is a text',
    ],
    [
      '{ any: [{ fact: target, path: $.node, operator: contains, value: x }, { fact: request, path: $.class, operator: contains, value: a }] }',
      'target $.node is a text',
    ],
  ])('%s', (when, why) => {
    const [message, ...others] = warningsOf(when);
    expect(others).toEqual([]);
    expect(message).toContain('the rule "no" (deny) can never match: ');
    expect(message).toContain(why);
  });

  it('also over a named condition', () => {
    const named = 'conditions: { local: { fact: target, path: $.region, operator: contains, value: eu } }\n';
    expect(warningsOf('{ condition: local }', named)).toHaveLength(1);
  });

  it.each([
    '{ fact: request, path: $.categories, operator: contains, value: health }',
    '{ fact: request, path: $.categories.length, operator: greaterThan, value: 1 }',
    '{ fact: request, path: "$.categories[0]", operator: equal, value: health }',
    '{ fact: request, path: $.payload.tags, operator: contains, value: x }',
    '{ fact: request, path: $.origin, operator: in, value: "eu-west" }',
    '{ fact: request, path: $.categories, operator: notIn, value: [health] }',
    '{ not: { fact: request, path: $.origin, operator: contains, value: eu } }',
    '{ fact: request, path: $.origin, operator: "not:contains", value: eu }',
    '{ any: [{ fact: request, path: $.origin, operator: contains, value: eu }, { fact: request, path: $.origin, operator: equal, value: eu }] }',
    '{ any: [] }',
  ])('and not of %s', (when) => {
    expect(warningsOf(when)).toEqual([]);
  });

  it('and of none that an engine ever finds true, over random rules and requests', async () => {
    let warned = 0;
    await fc.assert(
      fc.asyncProperty(ruleSetArbitrary, targetsArbitrary, stepArbitrary, async (rules, targets, step) => {
        const whyNever = neverReasons(rules.conditions);
        const never = rules.rules.filter(({ when }) => whyNever(when) !== undefined).map(({ id }) => id);
        warned += never.length;
        const engine = await createRuleEngine('json-rules-engine', rules, targets);
        for (const target of targets) {
          const decision = await engine.decide({ ...step, target });
          expect(decision.rules.filter((id) => never.includes(id))).toEqual([]);
        }
      }),
      { numRuns: 5000, seed: 3 },
    );
    expect(warned).toBeGreaterThan(200);
  });
});

describe('validate warns of a deny rule that a request without the member passes', () => {
  const factsOf = (payload: Record<string, unknown>) => ({
    request: { class: 'c', origin: 'eu', purpose: 'p', categories: [], consents: [], payload },
    target: { service: 's', node: 'n', region: 'eu', tags: [] },
    flow: { services: [], regions: [] },
  });

  it.each(['doesNotContain', 'lessThan', 'greaterThanInclusive'])(
    'as engines decide %s, and hints at an operator with which it is denied',
    async (operator) => {
      const condition = (name: string) =>
        `{ fact: request, path: $.payload.x, operator: "${name}", value: 2020-01-01 }`;
      const load = (name: string) => {
        const text = `apiVersion: topo-bench/v1\nkind: Rules\nname: r\nrules:\n  - { id: no, effect: deny, when: ${condition(name)} }\n`;
        return loadRules({ text, file: 'r.yaml' });
      };
      const effectsOf = async (name: string): Promise<string[]> => {
        const { rules } = load(name);
        const { target } = factsOf({});
        const engine = await createRuleEngine('json-rules-engine', expandRules(rules as RulesFile, []), [target]);
        const decisions = [{}, { x: null }].map(async (payload) => (await engine.decide(factsOf(payload))).effect);
        return Promise.all(decisions);
      };
      const [{ code, hint } = { code: undefined, hint: '' }] = load(operator).problems;
      expect([code, await effectsOf(operator)]).toEqual(['TB_RULES_MISSING_PASSES', ['allow', 'allow']]);
      const [, safe = ''] = /"(not:\w+)"/.exec(hint ?? '') ?? [];
      expect(await effectsOf(safe)).toEqual(['deny', 'deny']);
    },
  );
});
