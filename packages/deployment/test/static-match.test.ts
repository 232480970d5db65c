import type { Condition } from '@topo-bench/core/schema/rules';
import { describe, expect, it } from 'vitest';
import { couldHold } from '../src/static-match.ts';

const target = { service: 'scoring', node: 'us-1', region: 'us', tags: ['analytics'] };
const about = (path: string, operator: string, value: unknown): Condition => ({
  fact: 'target',
  path,
  operator,
  value,
});
const perRequest: Condition = { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' };
const could = (condition: Condition, named: Record<string, Condition> = {}): boolean =>
  couldHold(condition, named)(target);

describe('a rule could apply to a target', () => {
  it.each<[Condition, boolean]>([
    [about('$.service', 'equal', 'scoring'), true],
    [about('$.service', 'equal', 'orders'), false],
    [about('$.region', 'notEqual', 'us'), false],
    [about('$.region', 'in', ['eu', 'us']), true],
    [about('$.region', 'in', ['eu']), false],
    [about('$.node', 'notIn', ['us-1']), false],
    [about('$.tags', 'contains', 'analytics'), true],
    [about('$.tags', 'contains', 'health'), false],
    [about('$.tags', 'doesNotContain', 'analytics'), false],
    [about('$.service', 'contains', 'scoring'), false],
  ])('by its static facts: %j %s', (condition, expected) => {
    expect(could(condition)).toBe(expected);
    expect(could({ not: condition })).toBe(!expected);
  });

  it.each<[string, Condition]>([
    ['facts of the request', perRequest],
    ['the whole target', { fact: 'target', operator: 'equal', value: 'x' }],
    ['a member of a member', about('$.tags[0]', 'equal', 'x')],
    ['another fact', about('$.region', 'equal', { fact: 'request', path: '$.origin' })],
    ['a decorated operator', about('$.tags', 'someFact:equal', 'x')],
    ['a part of a text', about('$.region', 'in', 'europe')],
    ['an order of texts', about('$.node', 'lessThan', 1)],
  ])('whenever it depends on %s', (_, condition) => {
    expect(could(condition)).toBe(true);
    expect(could({ not: condition })).toBe(true);
  });

  it('unless one part of all, or every part of any, is false for it', () => {
    const [yes, no] = [about('$.region', 'equal', 'us'), about('$.region', 'equal', 'eu')];
    expect(could({ all: [perRequest, no] })).toBe(false);
    expect(could({ all: [perRequest, yes] })).toBe(true);
    expect(could({ any: [no, no] })).toBe(false);
    expect(could({ any: [no, perRequest] })).toBe(true);
    expect(could({ not: { any: [perRequest, yes] } })).toBe(false);
    expect(could({ not: { all: [perRequest, yes] } })).toBe(true);
    expect(could({ any: [] })).toBe(true);
    expect(could({ condition: 'abroad' }, { abroad: no })).toBe(false);
  });
});
