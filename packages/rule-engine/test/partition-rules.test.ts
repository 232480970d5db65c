/** An enforcement point holds a rule exactly when it can matter for one of its targets. */
import { expect, test } from 'vitest';
import { partitionRules } from '../src/partition-rules.ts';
import { comparison, ruleSet, target } from './facts.ts';

const here = comparison('target', '$.service', 'equal', 'svc-1');
const there = comparison('target', '$.service', 'equal', 'svc-2');
const asked = comparison('request', '$.origin', 'equal', 'eu');
const kept = (when: Parameters<typeof ruleSet>[0][number]['when'], targets = [target]): boolean =>
  partitionRules(ruleSet([when ? { when } : {}], { conditions: { named: there } }), targets).rules.length === 1;

test('a rule about another target is left out, one about this target or about none is kept', () => {
  expect(kept({ all: [here, asked] })).toBe(true);
  expect(kept({ all: [asked, there] })).toBe(false);
  expect(kept(asked)).toBe(true);
});

test('facts of the request count as unknown, under any and not as well', () => {
  expect(kept({ any: [there, asked] })).toBe(true);
  expect(kept({ any: [there, { not: here }] })).toBe(false);
  expect(kept({ not: { all: [asked, here] } })).toBe(true);
  expect(kept({ not: { any: [asked, here] } })).toBe(false);
  expect(kept({ condition: 'named' })).toBe(false);
});

test('all static facts count, also against each other', () => {
  expect(kept(comparison('target', '$.tags', 'contains', 'health'))).toBe(false);
  expect(kept(comparison('target', '$.region', 'in', ['us', 'eu']))).toBe(true);
  expect(kept(comparison('target', '$.region', 'notEqual', { fact: 'target', path: '$.region' }))).toBe(false);
  expect(kept(comparison('target', '$.region', 'notEqual', { fact: 'request', path: '$.origin' }))).toBe(true);
});

test('a rule is kept for a part when any of its targets needs it, with its index in the whole set', () => {
  const other = { ...target, service: 'svc-2' };
  const rules = ruleSet([
    { when: there },
    { when: here },
    { when: comparison('target', '$.service', 'equal', 'svc-3') },
  ]);
  expect(partitionRules(rules, [target, other]).rules.map(({ index }) => index)).toEqual([0, 1]);
  expect(partitionRules(rules, [target]).rules.map(({ index }) => index)).toEqual([1]);
});
