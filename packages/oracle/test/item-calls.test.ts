/** What calls for items must be answered, by rules that look at items and at the purpose of a call. */
import type { Condition, Rule } from '@topo-bench/core/schema/rules';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { type ItemLike, type ItemOracle, itemOracle } from '../src/item-calls.ts';

const about = (path: string, value: string): Condition => ({
  fact: 'request',
  path: `$.${path}`,
  operator: 'equal',
  value,
});
const vip = about('payload.customer', 'vip');
const audit = about('purpose', 'audit');
const item = (customer: string): ItemLike => ({ id: 'o-1', customer, status: 'open', createdAt: 'now', note: 'n' });
const factsFor = (purpose: string) => ({ class: 'order', origin: 'eu', purpose, consents: [] });

type RuleParts = Pick<Rule, 'id' | 'when' | 'effect'> & Partial<Pick<Rule, 'redact' | 'forEach' | 'to'>>;
function oracleOf(rules: RuleParts[], fallback: 'allow' | 'deny' = 'allow'): ItemOracle {
  const persistence = { store: 'sql-indexed' as const, rows: 1 };
  const services = [
    { name: 'orders', persistence },
    { name: 'other', role: 'alternative' as const },
  ];
  const graph = graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services, enforcement: { architecture: 'sidecar' } },
    { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', default: fallback, rules },
  );
  return itemOracle(graph, 'orders', 0, 'key');
}

describe('the oracle of items', () => {
  const denying = oracleOf([{ id: 'vip', effect: 'deny', when: { all: [vip, { not: audit }] } }]);

  it('expects denials by contents only in calls whose facts do not exclude the rule', () => {
    expect(['audit', 'marketing'].map((purpose) => denying.mayDeny(factsFor(purpose)))).toEqual([false, true]);
    expect(denying.statistics(factsFor('audit'))).toMatchObject({ refused: false, effect: 'allow' });
    expect(denying.statistics(factsFor('marketing'))).toEqual({ refused: true, rule: undefined });
    expect(denying.visible(factsFor('audit'), item('vip'))).toEqual(item('vip'));
    expect(denying.visible(factsFor('marketing'), item('vip'))).toBeUndefined();
  });

  it('permits every filter where rules only deny: lists omit denied items without a trace', () => {
    for (const purpose of ['audit', 'marketing'])
      expect(denying.filter(factsFor(purpose), ['customer', 'status'])).toEqual({ refused: false });
  });

  it('refuses a filter on a field that a rule about items may withhold in this call', () => {
    const redact = { remove: ['/note'], pseudonymise: ['/customer'] };
    const oracle = oracleOf([{ id: 'hide', effect: 'redact', redact, when: { all: [vip, { not: audit }] } }]);
    expect(oracle.filter(factsFor('marketing'), ['status', 'customer'])).toEqual({ refused: true, rule: 'hide' });
    expect(oracle.filter(factsFor('marketing'), ['status'])).toEqual({ refused: false });
    expect(oracle.filter(factsFor('audit'), ['customer'])).toEqual({ refused: false });
    expect(oracle.mayDeny(factsFor('marketing'))).toBe(false);
  });

  it('refuses every list in whose order a field is that a rule may withhold', () => {
    const redact = { remove: ['/createdAt'], pseudonymise: [] };
    const oracle = oracleOf([{ id: 'no-times', effect: 'redact', redact, when: { all: [vip, { not: audit }] } }]);
    expect(oracle.filter(factsFor('marketing'), [])).toEqual({ refused: true, rule: 'no-times' });
    expect(oracle.filter(factsFor('audit'), ['status'])).toEqual({ refused: false });
  });

  it('takes a reroute for a denial, and a rule of another service for none', () => {
    expect(oracleOf([{ id: 'away', effect: 'reroute', to: 'other', when: vip }]).mayDeny(factsFor('x'))).toBe(true);
    const elsewhere: Condition = { fact: 'target', path: '$.service', operator: 'equal', value: 'other' };
    const ofOther = oracleOf([{ id: 'not-here', effect: 'deny', when: { all: [vip, elsewhere] } }]);
    expect(ofOther.mayDeny(factsFor('x'))).toBe(false);
    expect(ofOther.statistics(factsFor('x'))).toMatchObject({ refused: false });
  });

  it('refuses a call under a default of denial, unless a rule about items may permit some item in it', () => {
    const oracle = oracleOf([{ id: 'vip', effect: 'allow', when: { all: [vip, audit] } }], 'deny');
    expect(oracle.call(factsFor('marketing'))).toEqual({ refused: true, rule: undefined });
    expect(oracle.call(factsFor('audit'))).toEqual({ refused: false });
    expect(oracle.mayDeny(factsFor('audit'))).toBe(true);
  });

  it('counts everything as exposed by a write that is refused for the stored item', () => {
    expect(denying.exposureBytes(factsFor('marketing'), item('ann'))).toEqual({});
    const refused = denying.exposureBytes(factsFor('marketing'), item('ann'), true);
    expect(refused).toEqual(denying.exposureBytes(factsFor('marketing'), item('vip')));
    expect(refused.personal).toBeGreaterThan(0);
  });

  it('reads the id of an item as a member of it, and refuses an item without its id', () => {
    const denying = oracleOf([{ id: 'first', effect: 'deny', when: about('payload.id', 'o-1') }]);
    expect(denying.visible(factsFor('x'), item('ann'))).toBeUndefined();
    expect(denying.visible(factsFor('x'), { ...item('ann'), id: 'o-2' })).toBeDefined();
    const redact = { remove: [], pseudonymise: ['/id'] };
    const redacting = oracleOf([{ id: 'no-ids', effect: 'redact', redact, when: vip }]);
    expect(redacting.visible(factsFor('x'), item('vip'))).toBeUndefined();
    expect(redacting.stored(factsFor('x'), item('vip'))).toBeUndefined();
    expect(redacting.visible(factsFor('x'), item('ann'))).toEqual(item('ann'));
    expect(redacting.mayDeny(factsFor('x'))).toBe(true);
    expect(redacting.statistics(factsFor('x'))).toMatchObject({ refused: true });
  });

  it('expects no pseudonym in the answer to a write', () => {
    const redact = { remove: ['/note'], pseudonymise: ['/customer'] };
    const oracle = oracleOf([{ id: 'mask', effect: 'redact', redact, when: vip }]);
    expect(oracle.stored(factsFor('x'), item('vip'))?.customer).toMatch(/^[0-9a-f]{64}$/);
    expect(oracle.answered(factsFor('x'), item('vip'))).toMatchObject({ id: 'o-1', customer: '', note: '' });
    expect(oracle.answered(factsFor('x'), item('ann'))).toEqual(item('ann'));
  });

  it('expects a refusal of writes that lose what no item is stored without, and empty values of a wrong form', () => {
    const whole = {
      ...item('vip'),
      currency: 'EUR',
      lines: [{ sku: 's', title: 't', quantity: 1, priceCents: 1 }],
      address: { name: '', street: '', city: 'C', postcode: '1', country: 'DE' },
    };
    const written = (remove: string[], pseudonymise: string[] = []) =>
      oracleOf([{ id: 'take', effect: 'redact', redact: { remove, pseudonymise }, when: vip }]).stored(
        factsFor('x'),
        whole,
      );
    for (const pointer of ['/customer', '/currency', '/status', '/createdAt', '/lines/0/sku', '/lines/0/quantity'])
      expect([pointer, written([pointer])]).toEqual([pointer, undefined]);
    expect(written([], ['/currency'])).toBeUndefined();
    expect(written(['/lines/0', '/note'])).toMatchObject({ lines: [], note: '' });
    expect(written(['/lines/0/title'], ['/address/postcode', '/address/country', '/address/city'])).toMatchObject({
      address: { postcode: '', country: '', city: expect.stringMatching(/^[0-9a-f]{64}$/) },
      lines: [{ sku: 's', title: '' }],
    });
  });
});
