import type { GatewayRequest } from '@topo-bench/core';
import type { Condition, Rule } from '@topo-bench/core/schema/rules';
import { expect, it } from 'vitest';
import { changedSteps } from '../src/changed-decisions.ts';
import { createOracle } from '../src/oracle.ts';
import { graphOf } from './fixtures/graphs.ts';

const request: GatewayRequest = {
  ...{ class: 'order', origin: 'eu', categories: ['personal'], consents: [], purpose: 'contract' },
  payload: { customer: 'x', card: 'y' },
};
const at = (service: string): Condition => ({ fact: 'target', path: '$.service', operator: 'equal', value: service });
const rule = (id: string, effect: Rule['effect'], service: string, more: Partial<Rule> = {}): Rule => ({
  ...{ id, effect, priority: 1, when: at(service) },
  ...more,
});
const flowOf = (...rules: Rule[]) =>
  createOracle(graphOf({ flow: ['a', 'b', 'c'], rules: { rules } })).expectedFlow(request);

it('a change is another effect or other redactions; another rule with the same effect is none', () => {
  const hidden = { redact: { remove: ['/card'], pseudonymise: [] } };
  const before = flowOf(rule('one', 'redact', 'a', hidden), rule('two', 'deny', 'c'));
  expect(changedSteps(before, before)).toEqual([]);
  const renamed = flowOf(rule('uno', 'redact', 'a', hidden), rule('due', 'deny', 'c'));
  expect(changedSteps(before, renamed)).toEqual([]);
  const after = flowOf(rule('one', 'redact', 'a', { redact: { remove: [], pseudonymise: ['/card'] } }));
  expect(changedSteps(before, after)).toEqual([
    {
      service: 'a',
      before: { effect: 'redact', rule: 'one', remove: ['/card'], pseudonymise: [] },
      after: { effect: 'redact', rule: 'one', remove: [], pseudonymise: ['/card'] },
    },
    {
      service: 'c',
      before: { effect: 'deny', rule: 'two', remove: [], pseudonymise: [] },
      after: { effect: 'allow', remove: [], pseudonymise: [] },
    },
  ]);
});

it('steps behind a new refusal follow from it and are no changes of their own', () => {
  const steps = changedSteps(flowOf(), flowOf(rule('stop', 'deny', 'b'), rule('never', 'deny', 'c')));
  expect(steps.map(({ service, after }) => [service, after.effect])).toEqual([['b', 'deny']]);
});
