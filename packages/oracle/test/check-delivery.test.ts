import { createHmac } from 'node:crypto';
import type { Delivered } from '@topo-bench/core';
import { deliveredDigests, valueDigest } from '@topo-bench/core/delivered-digest';
import { describe, expect, it } from 'vitest';
import { createOracle, type RecordedRequest } from '../src/oracle.ts';
import { redactedCopy } from '../src/redacted-copy.ts';
import { at, graphOf, requestOf, ruleList } from './fixtures/graphs.ts';

const keys = { pseudonymKey: 'pseudonyms', digestKey: 'digests' };
const pseudonym = (value: unknown, key = keys.pseudonymKey) =>
  createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
const { payload } = requestOf();
const { email, card, note } = payload;
const graph = graphOf({
  flow: ['a', ['b', 'c'], 'd'],
  alternatives: ['x'],
  rules: {
    rules: ruleList(
      { id: 'no-card', when: at('b'), effect: 'redact', remove: ['/card'] },
      { id: 'no-name', when: at('b'), effect: 'redact', pseudonymise: ['/email'] },
      { id: 'away', when: at('d'), effect: 'reroute', to: 'x' },
      { id: 'no-note', when: at('d'), effect: 'redact', remove: ['/note'] },
    ),
  },
});
const oracle = createOracle(graph, keys);
const { steps } = oracle.expectedFlow(requestOf());

type Copy = [service: string, payload: Record<string, unknown>];

/** @param copies payloads that services received, in order */
function recorded(copies: Copy[]): RecordedRequest {
  const delivered: Delivered = {
    services: copies.map(([service], copy) => ({ service, copy })),
    copies: copies.map(([, received]) => deliveredDigests(received, keys.digestKey)),
  };
  return { steps, outcome: 'completed', delivered };
}
const rightCopies: Copy[] = [
  ['a', payload],
  ['b', { email: pseudonym(email), note }],
  ['c', payload],
  ['x', { email, card }],
];
const reasonsOf = (copies: Copy[]): string[] => oracle.checkRequest(requestOf(), recorded(copies)).reasons;

describe('the delivery of a request', () => {
  it('is right when every service received its own copy', () => {
    expect(oracle.checkRequest(requestOf(), recorded(rightCopies))).toEqual({ wrong: 0, reasons: [] });
  });

  it.each<[string, number, Copy, string]>([
    [
      'a field that leaked',
      1,
      ['b', { email: pseudonym(email), card, note }],
      'b received the original "card" (expected none)',
    ],
    [
      'a value that was not pseudonymised',
      1,
      ['b', { email, note }],
      'b received the original "email" (expected it redacted)',
    ],
    [
      'a pseudonym under another key',
      1,
      ['b', { email: pseudonym(email, 'other'), note }],
      'b received another "email" (expected it redacted)',
    ],
    ['a field that was wiped', 0, ['a', { email, note }], 'a received no "card" (expected the original)'],
    [
      'a value that was changed',
      2,
      ['c', { ...payload, note: 'y' }],
      'c received another "note" (expected the original)',
    ],
    ['a field that nobody sent', 2, ['c', { ...payload, more: 1 }], 'c received another "more" (expected none)'],
    ['the original at an alternative', 3, ['x', payload], 'x received the original "note" (expected none)'],
    [
      'several fields of one copy, as one wrong decision',
      1,
      ['b', { email }],
      'b received the original "email" (expected it redacted), no "note" (expected the original)',
    ],
  ])('is wrong with %s', (_, place, copy, reason) => {
    expect(reasonsOf(rightCopies.with(place, copy))).toEqual([reason]);
  });

  it('is wrong when a service received nothing, or one that must not get anything did', () => {
    expect(reasonsOf(rightCopies.toSpliced(1, 1))).toEqual([
      'b received nothing, expected the payload without /card with pseudonyms at /email',
    ]);
    expect(reasonsOf([...rightCopies, ['d', payload]])).toEqual(['d received the payload, expected none']);
  });

  it('is wrong when a service received it twice, or before its turn', () => {
    const [a, b, c, x] = rightCopies as [Copy, Copy, Copy, Copy];
    expect(reasonsOf([a, b, b, c, x])).toEqual(['b received the payload, expected none']);
    expect(reasonsOf([...rightCopies, x])).toEqual(['x received the payload, expected none']);
    expect(reasonsOf([a, c, b, x])).toEqual([
      'b received the payload, expected none',
      'b received nothing, expected the payload without /card with pseudonyms at /email',
    ]);
  });

  it('may lack services only when the request did not end', () => {
    const cut = { ...recorded(rightCopies.slice(0, 1)), steps: steps.slice(0, 1) };
    expect(oracle.checkRequest(requestOf(), { ...cut, outcome: 'error' }).reasons).toEqual([]);
    const leaked = { ...recorded([['b', payload]]), steps: steps.slice(0, 2), outcome: 'error' as const };
    expect(oracle.checkRequest(requestOf(), leaked).wrong).toBe(1);
  });

  it('is of the original everywhere when nothing is enforced', () => {
    const open = createOracle(graphOf({ flow: ['a', ['b', 'c']], architecture: 'none' }), keys);
    const all = recorded(['a', 'b', 'c'].map((service) => [service, payload]));
    expect(open.checkRequest(requestOf(), { ...all, steps: [] }).reasons).toEqual([]);
    const wiped = recorded([
      ['a', payload],
      ['b', { email, card }],
      ['c', payload],
    ]);
    expect(open.checkRequest(requestOf(), { ...wiped, steps: [] }).wrong).toBe(1);
  });

  it('finds fields by the names of the prototype', () => {
    const odd = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, unknown>;
    const open = createOracle(graphOf({ flow: ['a'], architecture: 'none' }), keys);
    const check = (copy: Record<string, unknown>) =>
      open.checkRequest(requestOf({ payload: odd }), { ...recorded([['a', copy]]), steps: [] }).reasons;
    expect(check(odd)).toEqual([]);
    expect(check({})).toEqual([
      'a received no "__proto__" (expected the original), no "constructor" (expected the original)',
    ]);
  });
});

describe('the copy that a target must get', () => {
  const deep = { list: [{ id: 1 }, { id: 2 }, 3], 'a/b~c': { x: 1, y: 2 }, name: 'Ada' };
  const copy = (remove: string[], pseudonymise: string[] = []) =>
    redactedCopy(deep, { remove, pseudonymise }, keys.pseudonymKey);

  it('counts list elements by the original and leaves no gap', () => {
    expect(copy(['/list/0', '/list/2'], ['/list/1/id'])).toEqual({ ...deep, list: [{ id: pseudonym(2) }] });
  });

  it('takes escaped names, prefers the upper pointer, and removes what is in both lists', () => {
    expect(copy(['/a~1b~0c/x', '/name'], ['/name', '/list', '/list/0'])).toEqual({
      list: pseudonym(deep.list),
      'a/b~c': { y: 2 },
    });
  });

  it('is the original where pointers lead nowhere', () => {
    expect(copy(['/none', '/name/deeper', '/list/length', '/list/00'])).toEqual(deep);
  });

  it('has the digest of its value', () => {
    expect(valueDigest(redactedCopy(deep, { remove: ['/list'], pseudonymise: [] }, ''), 'k')).toBe(
      valueDigest({ name: 'Ada', 'a/b~c': { y: 2, x: 1 } }, 'k'),
    );
  });
});
