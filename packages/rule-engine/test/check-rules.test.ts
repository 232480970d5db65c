/** Rule sets that no engine takes: each is refused before anything is decided, with rule and place. */
import type { Condition } from '@topo-bench/core/schema/rules';
import { engines } from '@topo-bench/core/schema/topology';
import { describe, expect, test } from 'vitest';
import { createRuleEngine } from '../src/registry.ts';
import { always, comparison, ruleSet, target } from './facts.ts';

const refused: [name: string, when: unknown, code: string, place: string][] = [
  ['a filter', comparison('request', '$.payload[?(@.a)]', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['a script', comparison('request', '$.payload[(@.length-1)]', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['a wildcard', comparison('request', '$.payload.*', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['a descent', comparison('request', '$..email', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['a slice', comparison('request', '$.categories[0:2]', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['a negative index', comparison('request', '$.categories[-1]', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  ['an empty path', comparison('request', '', 'equal', 1), 'TB_RULES_PATH', 'when.path'],
  [
    'a filter in the other fact',
    { all: [always, { any: [comparison('request', '$.origin', 'equal', { fact: 'flow', path: '$.regions[?(1)]' })] }] },
    'TB_RULES_PATH',
    'when.all[1].any[0].value.path',
  ],
  [
    'an unknown operator',
    comparison('request', '$.origin', 'matches', 'e.*'),
    'TB_RULES_UNKNOWN_OPERATOR',
    'when.operator',
  ],
  [
    'an unknown decorator',
    comparison('request', '$.origin', 'most:equal', 'eu'),
    'TB_RULES_UNKNOWN_OPERATOR',
    'when.operator',
  ],
  [
    'an operator of the prototype',
    comparison('request', '$', 'constructor', 1),
    'TB_RULES_UNKNOWN_OPERATOR',
    'when.operator',
  ],
  [
    'an unknown fact',
    { not: { fact: 'weather', operator: 'equal', value: 1 } },
    'TB_RULES_UNKNOWN_FACT',
    'when.not.fact',
  ],
  ['no value', { fact: 'request', operator: 'equal' }, 'TB_RULES_VALUE', 'when'],
  ['in without a list', comparison('request', '$.origin', 'in', 5), 'TB_RULES_VALUE', 'when.value'],
  [
    'a lone value under someValue',
    comparison('request', '$.origin', 'someValue:equal', 'eu'),
    'TB_RULES_VALUE',
    'when.value',
  ],
  ['an object as value', comparison('request', '$.payload', 'equal', { a: 1 }), 'TB_RULES_VALUE', 'when.value'],
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 2 ** 53, -(2 ** 53)].map(
    (value): (typeof refused)[number] => [
      `the number ${value}`,
      { not: comparison('request', '$.payload.a', 'lessThan', value) },
      'TB_RULES_VALUE',
      'when.not.value',
    ],
  ),
  ['a number in a list', comparison('request', '$.payload.a', 'in', [1, [Number.NaN]]), 'TB_RULES_VALUE', 'when.value'],
  ['an unknown condition', { condition: 'is-eu' }, 'TB_RULES_UNKNOWN_CONDITION', 'when.condition'],
  ['a condition of the prototype', { condition: 'toString' }, 'TB_RULES_UNKNOWN_CONDITION', 'when.condition'],
  ['two kinds at once', { all: [], any: [] }, 'TB_RULES_CONDITION', 'when'],
  ['no condition at all', { all: [null] }, 'TB_RULES_CONDITION', 'when.all[0]'],
  ['a list that is none', { any: always }, 'TB_RULES_CONDITION', 'when.any'],
];

describe.each(engines)('%s', (name) => {
  test.each(refused)('refuses %s', async (_, when, code, place) => {
    const rules = ruleSet([{}, { id: 'odd', when: when as Condition }]);
    await expect(createRuleEngine(name, rules, [target])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`rule "odd", ${place}: `),
    });
  });

  test('refuses named conditions that refer to each other in a circle', async () => {
    const conditions = { a: { all: [{ condition: 'b' }] }, b: { not: { condition: 'a' } } };
    await expect(createRuleEngine(name, ruleSet([], { conditions }), [target])).rejects.toMatchObject({
      code: 'TB_RULES_CYCLE',
      message: expect.stringContaining('conditions.a'),
    });
  });

  test('refuses references that stand for more comparisons than the limit, in a condition or in a rule', async () => {
    const twice = (next: string) => ({ all: [{ condition: next }, { condition: next }] });
    const names = Array.from({ length: 22 }, (_, i) => `c${i}`);
    const doubling = Object.fromEntries(
      names.map((name, i) => [name, i === 0 ? comparison('request', '$.origin', 'equal', 'eu') : twice(`c${i - 1}`)]),
    );
    await expect(createRuleEngine(name, ruleSet([], { conditions: doubling }), [target])).rejects.toMatchObject({
      code: 'TB_RULES_TOO_LARGE',
      message: expect.stringContaining('conditions.c17: the condition "c17" stands for 131,072 comparisons'),
    });
    const conditions = Object.fromEntries(Object.entries(doubling).slice(0, 17));
    const rules = ruleSet([{}, { id: 'odd', when: twice('c16') }], { conditions });
    await expect(createRuleEngine(name, rules, [target])).rejects.toMatchObject({
      message: expect.stringContaining('rule "odd", when: the condition "c16" stands for 65,536 comparisons'),
    });
  });

  test('refuses a reroute to nowhere and a redaction of nothing', async () => {
    for (const rule of [{ effect: 'reroute', to: undefined } as const, { effect: 'redact', remove: [] } as const]) {
      await expect(createRuleEngine(name, ruleSet([rule as never]), [target])).rejects.toMatchObject({
        code: 'TB_RULES_EFFECT',
      });
    }
  });

  test('names all problems at once, ten at most', async () => {
    const rules = ruleSet(Array.from({ length: 12 }, () => ({ when: { condition: 'none' } })));
    const error = await createRuleEngine(name, rules, [target]).catch((reason: Error) => reason);
    expect((error as Error).message.split('\n')).toHaveLength(11);
    expect((error as Error).message).toContain('rule "rule-9"');
    expect((error as Error).message).toMatch(/and 2 more$/);
  });
});
