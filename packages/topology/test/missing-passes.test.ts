import { parseOperator } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { loadRules } from '../src/load-topology.ts';

const head = 'apiVersion: topo-bench/v1\nkind: Rules\nname: r\n';
const problemsOf = (when: string, { effect = 'deny', more = '' } = {}) =>
  loadRules({ text: `${head}${more}rules:\n  - { id: no, effect: ${effect}, when: ${when} }\n`, file: 'r.yaml' })
    .problems;
const consents = '{ fact: request, path: $.payload.consents, operator: doesNotContain, value: ads }';
const each = (operator: string, value = 'ads') =>
  `{ fact: request, path: $.payload.consents, operator: "${operator}", value: ${value} }`;
const date = (operator: string, value = '"2020-01-01"') =>
  `{ fact: request, path: $.payload.born, operator: ${operator}, value: ${value} }`;

describe('a deny rule that a request without the member passes', () => {
  it.each([
    [consents, /without \$\.payload\.consents, or with null there, passes: `doesNotContain`/, '"not:contains"'],
    [date('greaterThan'), /`greaterThan` is false then, and texts are ordered/, '"not:lessThanInclusive"'],
    [date('lessThanInclusive'), /`lessThanInclusive` is false/, '"not:greaterThan"'],
    [date('lessThan', '18'), /`lessThan` is false then$/, '"not:greaterThanInclusive"'],
    [each('everyFact:notEqual'), /`everyFact:notEqual` is false then/, '"not:someFact:equal"'],
    [each('everyFact:not:in', '[a]'), /is false then/, '"not:someFact:in"'],
    [each('everyFact:lessThan', '5'), /is false then/, '"not:someFact:not:lessThan"'],
    [
      `{ all: [${date('greaterThan', '5')}, { any: [{ not: { not: ${consents} } }] }] }`,
      /`doesNotContain`/,
      'contains',
    ],
  ])('is warned of: %s', (when, message, hint) => {
    const [problem, ...others] = problemsOf(when);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'TB_RULES_MISSING_PASSES', severity: 'warning', line: 5 });
    expect(problem?.message).toMatch(message);
    expect(problem?.hint).toContain(hint);
    const [, operator = ''] = /"(not:[\w:]+)"/.exec(problem?.hint ?? '') ?? [];
    expect(parseOperator(operator)).toBeDefined();
  });

  it.each(['reroute, to: other', 'redact, redact: { remove: [/a] }'])('is warned of with the effect %s', (effect) => {
    const [problem] = problemsOf(consents, { effect });
    expect(problem?.message).toContain(`may ${effect.split(',')[0]} less than it seems`);
  });

  it('is warned of behind a named condition too', () => {
    const more = `conditions: { open: ${consents}, twice: { all: [{ condition: open }, { condition: open }] } }\n`;
    expect(problemsOf('{ condition: twice }', { more })).toHaveLength(1);
  });

  it.each([
    [`{ not: ${consents} }`, {}],
    [consents, { effect: 'allow' }],
    [consents, { more: 'default: deny\n' }],
    [date('"not:lessThan"'), {}],
    [date('greaterThan', '5'), {}],
    [date('greaterThan', '"5"'), {}],
    ['{ fact: request, path: $.consents, operator: doesNotContain, value: ads }', {}],
    [date('equal'), {}],
  ])('is not warned of: %s', (when, more) => {
    expect(problemsOf(when, more)).toEqual([]);
  });
});
