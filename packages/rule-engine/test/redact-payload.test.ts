/** What a target gets of a payload, and what stays as it was. */
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { redactPayload } from '../src/redact-payload.ts';

const key = 'key of this run';
const hmac = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
const payload = () => ({
  name: 'Ada',
  card: { number: 42, holder: 'Ada' },
  items: [{ id: 1 }, { id: 2 }, { id: 3 }],
  'a/b~c': true,
});

test('members go or become pseudonyms, the original stays, and what is untouched is shared', () => {
  const original = payload();
  const copy = redactPayload(original, { remove: ['/card/number', '/a~1b~0c'], pseudonymise: ['/name'] }, key);
  expect(copy).toEqual({ name: hmac('"Ada"'), card: { holder: 'Ada' }, items: original.items });
  expect(copy.items).toBe(original.items);
  expect(original).toEqual(payload());
});

test('a pseudonym covers any JSON value', () => {
  const copy = redactPayload(payload(), { remove: [], pseudonymise: ['/card', '/card/holder'] }, key);
  expect(copy.card).toBe(hmac('{"number":42,"holder":"Ada"}'));
});

test('pointers to list elements mean the original list, in whatever order they come', () => {
  const copy = redactPayload(payload(), { remove: ['/items/0', '/items/1'], pseudonymise: ['/items/2/id'] }, key);
  expect(copy.items).toEqual([{ id: hmac('3') }]);
});

test('missing members, members of scalars and the length of a list are no members: nothing changes', () => {
  const original = payload();
  const remove = ['/none', '/name/first', '/items/9', '/items/length', '/items/00', '/toString', '/__proto__/x'];
  expect(redactPayload(original, { remove, pseudonymise: ['/none/deeper'] }, key)).toBe(original);
});

test('a pointer in both lists is removed, and one below a removed one changes nothing', () => {
  const copy = redactPayload(payload(), { remove: ['/card', '/name'], pseudonymise: ['/name', '/card/holder'] }, key);
  expect(Object.keys(copy)).toEqual(['items', 'a/b~c']);
});

test('members with the names of the prototype are members like others', () => {
  const original = JSON.parse('{"__proto__": {"email": "x"}, "constructor": "y"}') as Record<string, unknown>;
  const copy = redactPayload(original, { remove: ['/__proto__/email'], pseudonymise: ['/constructor'] }, key);
  expect(JSON.stringify(copy)).toBe(`{"__proto__":{},"constructor":"${hmac('"y"')}"}`);
});
