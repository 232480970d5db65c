import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, deliveredDigests, valueDigest } from '../src/delivered-digest.ts';

describe('the digest of a delivered value', () => {
  it('is the start of HMAC-SHA-256 over its JSON', () => {
    const hmac = createHmac('sha256', 'Jefe').update('"what do ya want for nothing?"').digest();
    expect(valueDigest('what do ya want for nothing?', 'Jefe')).toBe(hmac.subarray(0, 9).toString('base64url'));
  });

  it('depends on the key, the value and its type', () => {
    const digests = [
      valueDigest('1', 'a'),
      valueDigest('1', 'b'),
      valueDigest(1, 'a'),
      valueDigest([1], 'a'),
      valueDigest(null, 'a'),
    ];
    expect(new Set(digests).size).toBe(5);
  });

  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 'x' }], a: null })).toBe('{"a":null,"b":[{"c":"x","d":1}]}');
  });

  it('takes numbers of any type, and dates', () => {
    expect(canonicalJson({ at: new Date(0), n: 9_007_199_254_740_993n })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","n":9007199254740993}',
    );
  });

  it('is the same after a trip through JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(JSON.parse(JSON.stringify(value)))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('the digests of a payload', () => {
  it('name every field, those of awkward names too', () => {
    const payload = JSON.parse('{"name":"Ada","__proto__":{"x":1},"constructor":"c"}') as Record<string, unknown>;
    const digests = deliveredDigests(payload, 'key');
    expect(Object.keys(digests)).toEqual(['name', '__proto__', 'constructor']);
    expect(Object.entries(digests)).toContainEqual(['__proto__', valueDigest({ x: 1 }, 'key')]);
    const parsed = JSON.parse(JSON.stringify(digests)) as Record<string, string>;
    expect(Object.entries(parsed)).toEqual(Object.entries(digests));
  });

  it('leave out members without a value', () => {
    expect(deliveredDigests({ a: undefined }, 'key')).toEqual(Object.create(null));
  });
});
