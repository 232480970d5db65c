import type { Facts } from '@topo-bench/core';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { describe, expect, it } from 'vitest';
import { asksPayload, isMet } from '../src/conditions.ts';
import { holds } from '../src/operators.ts';

const noText = { toString: 'not a function' };

/** Written by hand from the stated meaning of the operators, and from json-rules-engine's manual. */
const table: [operator: string, a: unknown, b: unknown, holds: boolean][] = [
  ['equal', 'eu', 'eu', true],
  ['equal', 'eu', 'EU', false],
  ['equal', 1, '1', false],
  ['equal', undefined, undefined, true],
  ['equal', null, undefined, false],
  ['equal', [1], [1], false],
  ['notEqual', 1, '1', true],
  ['notEqual', undefined, 'eu', true],
  ['notEqual', 'eu', 'eu', false],
  ['in', 'eu', ['eu', 'us'], true],
  ['in', 'in', ['eu', 'us'], false],
  ['in', undefined, ['eu'], false],
  ['in', 'eu', undefined, false],
  ['in', 'eu', 7, false],
  ['in', 'eu', 'neutral', true],
  ['in', 4, '1234', true],
  ['in', undefined, 'an undefined thing', true],
  ['in', noText, 'text', false],
  ['notIn', 'in', ['eu', 'us'], true],
  ['notIn', 'eu', ['eu'], false],
  ['notIn', 'eu', undefined, false],
  ['notIn', 'eu', null, false],
  ['notIn', 'eu', 'neutral', false],
  ['notIn', noText, 'text', false],
  ['contains', ['a', 'b'], 'a', true],
  ['contains', ['a', 'b'], 'c', false],
  ['contains', 'abc', 'a', false],
  ['contains', undefined, 'a', false],
  ['doesNotContain', ['a', 'b'], 'c', true],
  ['doesNotContain', ['a', 'b'], 'a', false],
  ['doesNotContain', 'abc', 'z', false],
  ['doesNotContain', undefined, 'z', false],
  ['lessThan', 1, 2, true],
  ['lessThan', 2, 2, false],
  ['lessThan', '1', 2, true],
  ['lessThan', '10', '9', true],
  ['lessThan', 'ten', 2, false],
  ['lessThan', undefined, 2, false],
  ['lessThan', 1, undefined, false],
  ['lessThan', 1, null, false],
  ['lessThan', -1, null, true],
  ['lessThan', '5 apples', 6, false],
  ['lessThan', noText, 6, false],
  ['lessThan', 1, noText, false],
  ['lessThan', [1], 2, true],
  ['lessThanInclusive', 2, 2, true],
  ['lessThanInclusive', 3, 2, false],
  ['greaterThan', 3, 2, true],
  ['greaterThan', 2, 2, false],
  ['greaterThan', true, 0, false],
  ['greaterThanInclusive', 2, 2, true],
  ['greaterThanInclusive', 1, 2, false],
  ['someFact:equal', ['a', 'b'], 'b', true],
  ['someFact:equal', [], 'b', false],
  ['someFact:equal', 'b', 'b', false],
  ['everyFact:in', ['a', 'b'], ['a', 'b', 'c'], true],
  ['everyFact:in', ['a', 'd'], ['a', 'b', 'c'], false],
  ['everyFact:equal', [], 'anything', true],
  ['everyFact:equal', undefined, undefined, false],
  ['someValue:equal', 'a', ['b', 'a'], true],
  ['someValue:equal', 'a', 'a', false],
  ['everyValue:greaterThan', 5, [1, 2, 3], true],
  ['everyValue:greaterThan', 3, [1, 2, 3], false],
  ['everyValue:equal', 5, [], true],
  ['everyFact:someValue:equal', ['a', 'b'], ['b', 'a'], true],
  ['swap:in', ['a'], 'a', true],
  ['swap:contains', 'a', ['a'], true],
  ['swap:lessThan', 2, 1, true],
  ['swap:someFact:equal', 'a', ['a'], true],
  ['not:equal', 1, 1, false],
  ['not:equal', 1, 2, true],
  ['not:in', 'eu', undefined, true],
  ['not:contains', 'abc', 'a', true],
  ['not:someFact:equal', undefined, 'a', true],
  ['someFact:not:equal', ['a', 'b'], 'a', true],
  ['someFact:not:equal', ['a', 'a'], 'a', false],
  ['someFact:not:equal', undefined, 'a', false],
  ['everyFact:not:in', ['a', 'b'], ['c'], true],
  ['not:not:equal', 1, 1, true],
];

describe('operator', () => {
  it.each(table)('%s of %j and %j is true: %s', (operator, a, b, expected) => {
    expect(holds(operator, a, b)).toBe(expected);
  });

  it.each(['matches', 'some:equal', 'equal:not', ''])('%j is refused by name', (operator) => {
    expect(() => holds(operator, 1, 1)).toThrow(expect.objectContaining({ code: 'TB_RULES_UNKNOWN_OPERATOR' }));
  });
});

const facts: Facts = {
  request: {
    class: 'order',
    origin: 'eu',
    categories: ['personal'],
    consents: [],
    purpose: 'contract',
    payload: { email: 'a@b', items: [{ sku: 'x1' }, { sku: 'x2' }], 'odd name': 1, region: 'us' },
  },
  target: { service: 'orders', node: 'eu-1', region: 'eu', tags: ['analytics'] },
  flow: { services: [], regions: [] },
};
const yes: Condition = { fact: 'target', path: '$.service', operator: 'equal', value: 'orders' };
const no: Condition = { fact: 'target', path: '$.service', operator: 'equal', value: 'other' };
const met = (condition: Condition, named: Record<string, Condition> = {}) => isMet(condition, facts, named);

describe('condition', () => {
  it('joins by all, any and not, nested, and takes all and any of nothing as met', () => {
    expect([met({ all: [yes, no] }), met({ all: [yes, yes] }), met({ any: [no, yes] }), met({ any: [no] })]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([met({ not: no }), met({ not: { any: [no, { all: [yes, { not: no }] }] } })]).toEqual([true, false]);
    expect([met({ all: [] }), met({ any: [] }), met({ not: { any: [] } })]).toEqual([true, true, false]);
  });

  it('follows names to other conditions and refuses unknown ones', () => {
    expect(met({ not: { condition: 'b' } }, { a: no, b: { any: [{ condition: 'a' }] } })).toBe(true);
    expect(() => met({ condition: 'toString' })).toThrow(
      expect.objectContaining({ code: 'TB_RULES_UNKNOWN_CONDITION' }),
    );
  });

  it.each<[Partial<Comparison>, boolean]>([
    [{ path: '$.payload.items[1].sku', value: 'x2' }, true],
    [{ path: '$.payload.items[2].sku', value: undefined }, true],
    [{ path: "$.payload['odd name']", value: 1 }, true],
    [{ path: '$.payload.items.length', value: 2 }, true],
    [{ path: '$.payload.email.length', value: undefined }, true],
    [{ path: '$.payload.toString', value: undefined }, true],
    [{ path: '$.origin', value: { fact: 'target', path: '$.region' } }, true],
    [{ path: '$.payload.region', value: { fact: 'target', path: '$.region' } }, false],
    [{ path: '$.payload.none', value: { fact: 'flow', path: '$.services[0]' } }, true],
    [{ path: '$.payload.items', value: { fact: 'request', path: '$.payload.items' } }, true],
    [{ path: '$', value: 'order' }, false],
  ])('reaches members: %j is met: %s', (comparison, expected) => {
    expect(met({ fact: 'request', operator: 'equal', ...comparison } as Comparison)).toBe(expected);
  });

  it('refuses a path with a filter', () => {
    const filter: Condition = { fact: 'request', path: '$.payload[?(@.a)]', operator: 'equal', value: 1 };
    expect(() => met(filter)).toThrow(expect.objectContaining({ code: 'TB_RULES_PATH' }));
  });

  it.each<[Comparison, boolean]>([
    [{ fact: 'request', path: '$.payload.email', operator: 'equal', value: 1 }, true],
    [{ fact: 'request', operator: 'equal', value: 1 }, true],
    [{ fact: 'request', path: '$', operator: 'equal', value: 1 }, true],
    [{ fact: 'request', path: '$.origin', operator: 'equal', value: { fact: 'request', path: '$.payload' } }, true],
    [{ fact: 'request', path: '$.origin', operator: 'equal', value: { fact: 'target', path: '$.region' } }, false],
  ])('reports whether it reads the payload: %j', (comparison, expected) => {
    expect(asksPayload({ all: [{ not: { any: [comparison] } }] })).toBe(expected);
  });
});
