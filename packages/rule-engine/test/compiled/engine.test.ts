/**
 * What the index of the compiled engine must not do, whatever the rules: fail to end, or grow beyond what rules are
 * worth.
 */
import type { Condition } from '@topo-bench/core/schema/rules';
import { expect, test } from 'vitest';
import { createEngine } from '../../src/compiled/engine.ts';
import { comparison, factsWith, ruleSet, target } from '../facts.ts';

const members = Array.from({ length: 12 }, (_, i) => `$.payload.field-${i}`);
const among = (path: string): Condition => comparison('request', path, 'in', ['a', 'b', 'c', 'd']);
const payload = Object.fromEntries(members.map((path) => [path.slice('$.payload.'.length), 'c']));

test('rules that no condition distinguishes are indexed once and not by every combination of their values', () => {
  const rules = ruleSet(Array.from({ length: 6 }, () => ({ when: { all: members.map(among) } })));
  const engine = createEngine(rules, [target]);
  expect(engine.decide(factsWith({ payload })).rules).toHaveLength(6);
  expect(engine.decide(factsWith({ payload: { ...payload, 'field-7': 'x' } })).effect).toBe('allow');
});

test('rules that share every alternative of an any are indexed too', () => {
  const rules = ruleSet(Array.from({ length: 6 }, () => ({ when: { any: members.slice(0, 2).map(among) } })));
  const engine = createEngine(rules, [target]);
  expect(engine.decide(factsWith({ payload })).rules).toHaveLength(6);
  expect(engine.decide(factsWith({ payload: { 'field-1': 'd' } })).rules).toHaveLength(6);
  expect(engine.decide(factsWith()).effect).toBe('allow');
});

test('decisions are frozen, since they are shared between calls', () => {
  const engine = createEngine(ruleSet([{ when: among('$.payload.field-0') }]), [target]);
  for (const facts of [factsWith(), factsWith({ payload })]) {
    const decision = engine.decide(facts);
    expect(Object.isFrozen(decision) && Object.isFrozen(decision.rules)).toBe(true);
    expect(engine.decide(facts)).toBe(decision);
  }
});

test.each([
  ['greaterThan', (value: number, threshold: number) => value > threshold],
  ['greaterThanInclusive', (value: number, threshold: number) => value >= threshold],
  ['lessThan', (value: number, threshold: number) => value < threshold],
  ['lessThanInclusive', (value: number, threshold: number) => value <= threshold],
])('rules with more thresholds on one fact than a mask clears match by %s at every value', (operator, holds) => {
  const thresholds = Array.from({ length: 70 }, (_, threshold) => threshold);
  const engine = createEngine(
    ruleSet(thresholds.map((threshold) => ({ when: comparison('request', '$.payload.n', operator, threshold) }))),
    [target],
  );
  for (let n = -1; n <= 70.5; n += 0.5) {
    const matching = thresholds.filter((threshold) => holds(n, threshold)).map((threshold) => `rule-${threshold}`);
    expect(engine.decide(factsWith({ payload: { n } })).rules).toEqual(matching);
  }
});
