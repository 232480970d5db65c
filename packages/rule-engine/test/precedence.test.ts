/** Which of several matching rules decides, and what becomes of their redactions. */
import type { Decision, ExpandedRule } from '@topo-bench/core';
import { engines } from '@topo-bench/core/schema/topology';
import { describe, expect, test } from 'vitest';
import { createRuleEngine } from '../src/registry.ts';
import { always, factsWith, never, ruleSet, target } from './facts.ts';

describe.each(engines)('%s', (name) => {
  async function decide(rules: Partial<ExpandedRule>[], fallback: 'allow' | 'deny' = 'allow'): Promise<Decision> {
    const engine = await createRuleEngine(name, ruleSet(rules, { default: fallback }), [target]);
    return engine.decide(factsWith());
  }

  test('the strongest effect wins, whatever the priorities, and all matching rules are named in order', async () => {
    const decision = await decide([
      { effect: 'allow', priority: 9 },
      { effect: 'redact', priority: 8 },
      { effect: 'reroute', priority: 7 },
      { effect: 'deny', priority: 1 },
      { effect: 'deny', priority: 2, when: never },
    ]);
    expect(decision).toMatchObject({ effect: 'deny', rule: 'rule-3', ruleIndex: 3 });
    expect(decision.rules).toEqual(['rule-3', 'rule-2', 'rule-1', 'rule-0']);
  });

  test('within an effect the higher priority decides, then the earlier in the file', async () => {
    const rules = [{ priority: 1 }, { priority: 3 }, { priority: 3 }, { priority: 2 }];
    const decision = await decide(
      rules.map((rule) => ({ ...rule, effect: 'reroute' as const, to: `to-${rule.priority}` })),
    );
    expect(decision).toMatchObject({ rule: 'rule-1', to: 'to-3', rules: ['rule-1', 'rule-2', 'rule-3', 'rule-0'] });
  });

  test('the default effect applies when nothing matches, with no rule named', async () => {
    const expected = { rule: undefined, ruleIndex: -1, rules: [], remove: [], pseudonymise: [], to: undefined };
    expect(await decide([{ when: never }], 'deny')).toEqual({ effect: 'deny', ...expected });
    expect(await decide([], 'allow')).toEqual({ effect: 'allow', ...expected });
  });

  test('an allow rule lifts a default of deny', async () => {
    expect(await decide([{ effect: 'allow' }], 'deny')).toMatchObject({ effect: 'allow', rule: 'rule-0' });
  });

  const redactions: Partial<ExpandedRule>[] = [
    { effect: 'redact', remove: ['/email'], pseudonymise: ['/name', '/card'] },
    { effect: 'redact', priority: 2, remove: ['/card'], pseudonymise: ['/name', '/email'] },
    { effect: 'redact', when: never, remove: ['/never'], pseudonymise: [] },
  ];
  const united = { remove: ['/card', '/email'], pseudonymise: ['/name'] };

  test('all matching redactions unite, and removal beats pseudonyms', async () => {
    expect(await decide(redactions)).toMatchObject({ effect: 'redact', rule: 'rule-1', ...united });
  });

  test('a reroute keeps them for the alternative', async () => {
    const decision = await decide([...redactions, { effect: 'reroute', to: 'eu-twin' }]);
    expect(decision).toMatchObject({ effect: 'reroute', rule: 'rule-3', to: 'eu-twin', ...united });
  });

  test('a deny carries none', async () => {
    expect(await decide([...redactions, {}])).toMatchObject({ effect: 'deny', remove: [], pseudonymise: [] });
  });

  test('empty lists are true, under any as under all', async () => {
    expect((await decide([{ when: { any: [] } }])).effect).toBe('deny');
    expect((await decide([{ when: { all: [] } }])).effect).toBe('deny');
    expect((await decide([{ when: { not: { any: [] } } }])).effect).toBe('allow');
    // Folding members away must not leave an empty list behind.
    const elsewhere = { fact: 'target', path: '$.region', operator: 'equal', value: 'us' } as const;
    expect((await decide([{ when: { any: [elsewhere, { not: always }] } }])).effect).toBe('allow');
  });

  test('a service that it was not built for is an error, never a decision', async () => {
    const engine = await createRuleEngine(name, ruleSet([]), [target]);
    const facts = factsWith({}, { target: { ...target, service: 'stranger' } });
    await expect(async () => engine.decide(facts)).rejects.toMatchObject({ code: 'TB_RULES_UNKNOWN_TARGET' });
  });
});
