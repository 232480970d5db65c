import { expect, it } from 'vitest';
import { ruleExample } from '../src/schema/rules.ts';

it('the request of an example keeps a member named __proto__, as the gateway does', () => {
  const text = '{"origin":"eu","payload":{"__proto__":{"vip":true},"constructor":1}}';
  const { payload } = ruleExample.shape.request.parse(JSON.parse(text));
  expect(JSON.stringify(payload)).toBe('{"__proto__":{"vip":true},"constructor":1}');
  expect(ruleExample.shape.request.parse({ origin: 'eu' }).payload).toEqual({});
});

it.each([1, null, ['a'], 'text'])('the payload of an example is a map: %j is refused', (payload) => {
  expect(ruleExample.shape.request.safeParse({ origin: 'eu', payload }).error?.issues).toMatchObject([
    { code: 'invalid_type', expected: 'record', path: ['payload'] },
  ]);
});
