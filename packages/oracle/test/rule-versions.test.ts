import type { GatewayRequest, StepRecord } from '@topo-bench/core';
import type { Condition, Rule } from '@topo-bench/core/schema/rules';
import { describe, expect, it } from 'vitest';
import { createVersionOracle, type TimedRecord } from '../src/rule-versions.ts';
import { graphOf } from './fixtures/graphs.ts';

const request: GatewayRequest = {
  ...{ class: 'order', origin: 'eu', categories: ['personal', 'payment'], consents: [], purpose: 'contract' },
  payload: { customer: 'Ada', card: '4000' },
  fieldCategories: { customer: 'personal', card: 'payment' },
};
const at = (service: string): Condition => ({ fact: 'target', path: '$.service', operator: 'equal', value: service });
const rule = (id: string, effect: Rule['effect'], service: string, more: Partial<Rule> = {}): Rule => ({
  ...{ id, effect, priority: 1, when: at(service) },
  ...more,
});
const graphWith = (...rules: Rule[]) => graphOf({ flow: ['a', 'b'], rules: { rules } });
const hidden = (id: string, ...remove: string[]) => rule(id, 'redact', 'b', { redact: { remove, pseudonymise: [] } });

/** Asked for at 1000, confirmed at 2000. */
function checked(rules: [before: Rule[], after: Rule[]], steps: StepRecord[], times: Partial<TimedRecord>) {
  const [before, after] = rules.map((each) => graphWith(...each)) as [
    ReturnType<typeof graphWith>,
    ReturnType<typeof graphWith>,
  ];
  const oracle = createVersionOracle(before, [{ graph: after, askedUs: 1000, confirmedUs: 2000 }]);
  const refused = steps.some(({ effect }) => effect === 'deny');
  return oracle.checkRequest(request, {
    ...{ steps, outcome: refused ? 'refused' : 'completed', enteredUs: 0, endedUs: 100 },
    ...times,
  });
}
const allowed = (service: string, version?: number): StepRecord => ({
  ...{ service, effect: 'allow' },
  ...(version !== undefined && { version }),
});
const denied: StepRecord = { service: 'b', effect: 'deny', rule: 'no-b', version: 1 };
const none = { reasons: [], torn: false, stale: [], staleSinceAsked: [] };
const after = { enteredUs: 2500, endedUs: 2600 };

describe('a decision while rules change', () => {
  it('by either version is right as long as the change is not confirmed', () => {
    const rules: [Rule[], Rule[]] = [[], [rule('no-b', 'deny', 'b')]];
    expect(checked(rules, [allowed('a'), allowed('b')], {})).toEqual(none);
    const asked = { enteredUs: 1500, endedUs: 1600 };
    expect(checked(rules, [allowed('a', 1), denied], asked)).toEqual(none);
    const old = checked(rules, [allowed('a'), allowed('b')], asked);
    expect([old.reasons, old.stale]).toEqual([[], []]);
    expect(old.staleSinceAsked.map(({ service, effect, sinceUs }) => [service, effect, sinceUs])).toEqual([
      ['a', 'alike', 500],
      ['b', 'let-through', 500],
    ]);
  });

  it('by the old version is stale afterwards, with the bytes that the new rules withhold', () => {
    const { stale } = checked([[], [rule('no-b', 'deny', 'b')]], [allowed('a'), allowed('b')], after);
    expect(stale[1]).toEqual({
      ...{ service: 'b', version: 0, sinceUs: 500, effect: 'let-through' },
      exposedBytes: { personal: 3, payment: 4 },
    });
    const redacted: StepRecord[] = [allowed('a'), { service: 'b', effect: 'redact', rule: 'old' }];
    const wider = checked([[hidden('old', '/card')], [hidden('new', '/card', '/customer')]], redacted, after);
    expect(wider.stale[1]).toMatchObject({ effect: 'let-through', exposedBytes: { personal: 3 } });
    const narrower = checked([[hidden('old', '/card')], []], redacted, after);
    expect(narrower.stale[1]).toMatchObject({ effect: 'refused', exposedBytes: {} });
    const refused = checked(
      [[rule('no-b', 'deny', 'b')], []],
      [allowed('a'), { service: 'b', effect: 'deny', rule: 'no-b' }],
      after,
    );
    expect(refused.stale[1]).toMatchObject({ effect: 'refused', exposedBytes: {} });
  });

  it('is torn when two versions decide one request', () => {
    const verdict = checked([[], []], [allowed('a'), allowed('b', 1)], { enteredUs: 900, endedUs: 1900 });
    expect(verdict).toEqual({ ...none, torn: true });
  });

  it('is wrong when its version does not make it, or was requested later', () => {
    const rules: [Rule[], Rule[]] = [[], [rule('no-b', 'deny', 'b')]];
    const mislabelled = checked(rules, [allowed('a', 1), allowed('b', 1)], after);
    expect(mislabelled.reasons).toEqual([
      'b: allow by the default effect, expected b: deny by no-b',
      'the request was completed, expected refused',
    ]);
    expect(checked(rules, [allowed('a', 1), denied], { enteredUs: 0, endedUs: 900 }).reasons).toEqual([
      'decided by rules 1 before they had been asked for',
    ]);
    expect(checked(rules, [allowed('a', 7), allowed('b', 7)], after).reasons).toContain(
      'decided by rules 7 before they had been asked for',
    );
  });

  it('at an alternative belongs to the branch that has records', () => {
    const away = (service: string) => rule(`${service}-to-x`, 'reroute', service, { to: 'x' });
    const shape = { flow: [['a', 'b']], alternatives: ['x'] };
    const before = graphOf({ ...shape, rules: { rules: [away('a'), away('b')] } });
    const graph = graphOf({ ...shape, rules: { rules: [away('a'), away('b'), rule('no-x', 'deny', 'x')] } });
    const oracle = createVersionOracle(before, [{ graph, askedUs: 0, confirmedUs: 1 }]);
    // The branch to `a` was lost on its way to the same alternative.
    const steps: StepRecord[] = [
      { service: 'b', effect: 'reroute', rule: 'b-to-x', version: 1 },
      { service: 'x', effect: 'deny', rule: 'no-x', version: 1 },
    ];
    expect(oracle.checkRequest(request, { steps, outcome: 'error', enteredUs: 5, endedUs: 9 })).toEqual(none);
  });
});
