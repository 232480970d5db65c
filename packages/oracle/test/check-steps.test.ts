import type { StepRecord } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { createOracle } from '../src/oracle.ts';
import { at, graphOf, requestOf, ruleList } from './fixtures/graphs.ts';

const oracle = createOracle(
  graphOf({
    flow: ['a', ['b', ['c', 'd']], 'e'],
    alternatives: ['x'],
    rules: {
      rules: ruleList(
        { id: 'go', when: at('a'), effect: 'reroute', to: 'x' },
        { id: 'hide', when: at('d'), effect: 'redact', remove: ['/card'] },
        {
          id: 'no',
          when: { all: [at('e'), { fact: 'request', path: '$.purpose', operator: 'equal', value: 'ads' }] },
          effect: 'deny',
        },
      ),
    },
  }),
);
const right: StepRecord[] = [
  { service: 'a', effect: 'reroute', rule: 'go' },
  { service: 'x', effect: 'allow' },
  { service: 'b', effect: 'allow' },
  { service: 'c', effect: 'allow' },
  { service: 'd', effect: 'redact', rule: 'hide' },
  { service: 'e', effect: 'allow' },
];
const refused: StepRecord[] = [...right.slice(0, 5), { service: 'e', effect: 'deny', rule: 'no' }];
const without = (...services: string[]) => right.filter(({ service }) => !services.includes(service));
const ads = requestOf({ purpose: 'ads' });

describe('checking recorded steps', () => {
  it('finds nothing wrong in what is right', () => {
    expect(oracle.checkRequest(requestOf(), { steps: right, outcome: 'completed' })).toEqual({ wrong: 0, reasons: [] });
    expect(oracle.checkRequest(ads, { steps: refused, outcome: 'refused', rule: 'no' })).toEqual({
      wrong: 0,
      reasons: [],
    });
  });

  it.each<[string, StepRecord[]]>([
    ['another effect', right.with(5, { service: 'e', effect: 'deny' })],
    ['another rule', right.with(4, { service: 'd', effect: 'redact', rule: 'other' })],
    ['no rule where one decided', right.with(4, { service: 'd', effect: 'redact' })],
    ['a rule where none decided', right.with(2, { service: 'b', effect: 'allow', rule: 'hide' })],
    ['a missing step', without('b')],
    ['a missing last step', without('e')],
    ['no step of the alternative', without('x')],
    ['a superfluous step', [...right, { service: 'a', effect: 'allow' }]],
    ['an unknown service', [...right, { service: 'zz', effect: 'allow' }]],
  ])('counts %s as one wrong decision', (_, steps) => {
    const verdict = oracle.checkRequest(requestOf(), { steps, outcome: 'completed' });
    expect(verdict.wrong).toBe(1);
    expect(verdict.reasons).toHaveLength(1);
  });

  it('counts every step of a request that recorded none', () => {
    expect(oracle.checkRequest(requestOf(), { steps: [], outcome: 'completed' }).wrong).toBe(6);
  });

  it('counts an ending that does not follow from the steps, and a refusal by another rule', () => {
    expect(oracle.checkRequest(requestOf(), { steps: right, outcome: 'refused' }).wrong).toBe(1);
    expect(oracle.checkRequest(ads, { steps: refused, outcome: 'completed' }).wrong).toBe(1);
    expect(oracle.checkRequest(ads, { steps: refused, outcome: 'refused', rule: 'go' }).wrong).toBe(1);
  });

  it.each([
    ['nothing', []],
    ['the first steps', right.slice(0, 3)],
    ['one branch cut short', without('d', 'e')],
    ['one branch lacking as a whole', without('b', 'e')],
  ])('accepts %s of a request that failed or never finished', (_, steps) => {
    expect(oracle.checkRequest(requestOf(), { steps, outcome: 'error' }).wrong).toBe(0);
    expect(oracle.checkRequest(requestOf(), { steps, outcome: 'unfinished' }).wrong).toBe(0);
  });

  it.each([
    ['inside a branch', without('c', 'e'), 1],
    ['before the group ended', without('b'), 1],
    ['of the alternative', without('x', 'd', 'e'), 1],
  ])('finds a step that was passed over %s even then', (_, steps, wrong) => {
    expect(oracle.checkRequest(requestOf(), { steps, outcome: 'error' }).wrong).toBe(wrong);
  });

  it('finds a wrong effect even then', () => {
    expect(
      oracle.checkRequest(requestOf(), { steps: [{ service: 'a', effect: 'allow' }], outcome: 'error' }).wrong,
    ).toBe(1);
  });
});
