/**
 * What each operator and decorator means where one may err, written out by hand; both engines must agree with the
 * table.
 */
import { engines } from '@topo-bench/core/schema/topology';
import { describe, expect, test } from 'vitest';
import { createRuleEngine } from '../src/registry.ts';
import { comparison, factsWith, ruleSet, target } from './facts.ts';

const missing = undefined;
const unprintable = { toString: 1, valueOf: 1 };

/** Value of the fact, operator, value of the condition, whether it holds. */
const table: [unknown, string, unknown, boolean][] = [
  ['a', 'equal', 'a', true],
  [1, 'equal', '1', false],
  [missing, 'equal', null, false],
  [null, 'equal', null, true],
  [['a'], 'equal', ['a'], false],
  [-0, 'equal', 0, true],
  [Number.NaN, 'equal', 0, false],
  [missing, 'notEqual', 'a', true],
  ['a', 'in', ['a', 'b'], true],
  ['a', 'in', 'cat', true],
  [missing, 'in', ['a'], false],
  [missing, 'in', 'it is undefined', true],
  [Number.NaN, 'in', [0], false],
  [unprintable, 'in', 'text', false],
  [unprintable, 'notIn', 'text', false],
  [missing, 'notIn', ['a'], true],
  ['a', 'notIn', ['a'], false],
  [['a'], 'contains', 'a', true],
  ['abc', 'contains', 'a', false],
  [missing, 'contains', 'a', false],
  ['abc', 'doesNotContain', 'x', false],
  [missing, 'doesNotContain', 'x', false],
  [[], 'doesNotContain', 'x', true],
  [1, 'lessThan', 2, true],
  ['5', 'lessThan', '10', false],
  ['5', 'lessThan', 10, true],
  ['12abc', 'lessThan', 13, false],
  [null, 'lessThan', 1, false],
  [true, 'lessThanInclusive', 1, false],
  [missing, 'lessThan', 1, false],
  [1, 'lessThan', 'abc', false],
  [2, 'lessThanInclusive', 2, true],
  [[3], 'greaterThan', 2, true],
  ['', 'lessThan', 1, false],
  [unprintable, 'greaterThan', 0, false],
  [2, 'greaterThanInclusive', 2, true],
  [['a', 'b'], 'someFact:equal', 'b', true],
  ['a', 'someFact:equal', 'a', false],
  [[], 'someFact:equal', 'a', false],
  [[], 'everyFact:equal', 'a', true],
  [missing, 'everyFact:equal', 'a', false],
  [['a', 'b'], 'everyFact:in', ['a', 'b', 'c'], true],
  ['a', 'someValue:equal', ['b', 'a'], true],
  ['a', 'someValue:equal', [], false],
  ['a', 'everyValue:notEqual', [], true],
  [['a', 'b'], 'everyValue:contains', ['a', 'b'], true],
  [['a', 'b'], 'everyValue:contains', ['a', 'c'], false],
  ['a', 'swap:contains', ['a'], true],
  [['a'], 'swap:in', 'a', true],
  [missing, 'swap:in', 'a', false],
  [1, 'swap:lessThan', 2, false],
  [missing, 'not:in', ['a'], true],
  [missing, 'not:contains', 'a', true],
  [missing, 'not:lessThan', 1, true],
  [['a'], 'not:someFact:not:equal', 'a', true],
  [['a', 'b'], 'someFact:not:equal', 'a', true],
  [[['a'], []], 'someFact:everyFact:equal', 'b', true],
  [['a', 'b'], 'someFact:someValue:equal', ['c', 'b'], true],
];

describe.each(engines)('%s', (name) => {
  test.each(table)('%o %s %o: %s', async (value, operator, literal, holds) => {
    const rules = ruleSet([{ when: comparison('request', '$.payload.value', operator, literal) }]);
    const engine = await createRuleEngine(name, rules, [target]);
    const payload = value === missing ? {} : { value };
    expect((await engine.decide(factsWith({ payload }))).effect).toBe(holds ? 'deny' : 'allow');
  });

  test('an operand that is another fact and missing makes the comparison false, negative ones too', async () => {
    for (const operator of ['in', 'notIn', 'someValue:equal', 'everyValue:equal']) {
      const value = { fact: 'request', path: '$.payload.missing' };
      const engine = await createRuleEngine(
        name,
        ruleSet([{ when: comparison('request', '$.origin', operator, value) }]),
        [target],
      );
      expect((await engine.decide(factsWith())).effect, operator).toBe('allow');
    }
  });

  test.each([
    ['$.payload.__proto__', 'allow'],
    ["$.payload['constructor'].name", 'allow'],
    ['$.payload.toString', 'allow'],
    ['$.origin.length', 'allow'],
    ['$.categories.length', 'deny'],
    ['$.categories[0]', 'deny'],
    ["$['payload']['a b'][0].c", 'deny'],
  ])('the path %s reaches own members of objects and lists alone', async (path, effect) => {
    const engine = await createRuleEngine(
      name,
      ruleSet([{ when: comparison('request', path, 'notEqual', undefined) }]),
      [target],
    );
    expect((await engine.decide(factsWith({ payload: { 'a b': [{ c: 1 }] } }))).effect).toBe(effect);
  });

  test('a payload that defines the members of the prototype is read like any other', async () => {
    const payload = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
    const when = comparison('request', "$.payload['__proto__'].admin", 'equal', true);
    const engine = await createRuleEngine(name, ruleSet([{ when }]), [target]);
    expect((await engine.decide(factsWith({ payload }))).effect).toBe('deny');
  });
});
