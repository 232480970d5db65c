import type { Facts } from '@topo-bench/core';
import type { Effect, RulesFile } from '@topo-bench/core/schema/rules';
import { describe, expect, it } from 'vitest';
import { readRules } from '../src/read-rules.ts';
import { rightDecision } from '../src/right-decision.ts';
import { always, ruleList, type ShortRule } from './fixtures/graphs.ts';

const facts: Facts = {
  request: { class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract', payload: {} },
  target: { service: 'orders', node: 'eu-1', region: 'eu', tags: [] },
  flow: { services: [], regions: [] },
};
const rule = (id: string, effect: Effect, more: Partial<ShortRule> = {}): ShortRule => ({
  id,
  effect,
  when: always,
  ...more,
});
const decide = (...rules: ShortRule[]) =>
  rightDecision(
    readRules({ default: 'allow', conditions: {}, rules: ruleList(...rules) } as unknown as RulesFile, [
      'orders',
      'scoring',
    ]),
    facts,
  );
const never = { any: [{ not: always }] };

describe('the right decision', () => {
  it('is the default effect, by no rule, when nothing matches', () => {
    const nothing = { rule: undefined, ruleIndex: -1, rules: [], remove: [], pseudonymise: [], to: undefined };
    expect(decide(rule('no', 'deny', { when: never }))).toEqual({ effect: 'allow', ...nothing });
    expect(rightDecision({ default: 'deny', conditions: {}, rules: [] }, facts)).toEqual({
      effect: 'deny',
      ...nothing,
    });
  });

  it.each<[Effect[], Effect]>([
    [['allow', 'redact', 'reroute', 'deny'], 'deny'],
    [['allow', 'redact', 'reroute'], 'reroute'],
    [['allow', 'redact'], 'redact'],
    [['redact', 'allow'], 'redact'],
    [['allow'], 'allow'],
  ])('of matching %j is %s whatever the priorities', (effects, expected) => {
    const rules = effects.map((effect, i) => rule(effect, effect, { priority: effects.length - i, to: 'alternative' }));
    expect(decide(...rules)).toMatchObject({ effect: expected, rule: expected });
  });

  it('names the rule of higher priority, then the earlier one, and lists all that matched in order of precedence', () => {
    const decision = decide(
      rule('a', 'allow', { priority: 9 }),
      rule('late', 'deny'),
      rule('none', 'deny', { when: never, priority: 99 }),
      rule('later', 'deny'),
      rule('first', 'deny', { priority: 2 }),
      rule('r', 'redact', { remove: ['/x'] }),
    );
    expect(decision).toMatchObject({
      effect: 'deny',
      rule: 'first',
      ruleIndex: 4,
      remove: [],
      pseudonymise: [],
      to: undefined,
    });
    expect(decision.rules).toEqual(['first', 'late', 'later', 'r', 'a']);
  });

  it('unites redactions, also under a reroute; what is removed needs no pseudonym', () => {
    const redactions = [
      rule('one', 'redact', { remove: ['/a'], pseudonymise: ['/b', '/c'] }),
      rule('two', 'redact', { remove: ['/b', '/a'], pseudonymise: ['/d'], priority: 5 }),
    ];
    const united = { remove: ['/b', '/a'], pseudonymise: ['/d', '/c'] };
    expect(decide(...redactions)).toMatchObject({ effect: 'redact', rule: 'two', to: undefined, ...united });
    expect(decide(...redactions, rule('go', 'reroute', { to: 'alternative' }))).toMatchObject({
      effect: 'reroute',
      rule: 'go',
      to: 'alternative',
      ...united,
    });
  });
});
