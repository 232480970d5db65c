import { describe, expect, it } from 'vitest';
import { redactPayload } from '../src/redact-payload.ts';

const payload = { a: { b: 1, 'c/d': [10, 20, 30], 'e~f': 'x' }, name: 'Ada' };
const redact = (remove: string[], pseudonymise: string[] = [], value: Record<string, unknown> = payload): unknown =>
  redactPayload(value, { remove, pseudonymise }, pseudonym);
const pseudonym = (value: unknown): string => `pseudonym of ${JSON.stringify(value)}`;

describe('redaction of a payload', () => {
  it('removes members at any depth, with the escapes of RFC 6901', () => {
    expect(redact(['/a/b', '/name'])).toEqual({ a: { 'c/d': [10, 20, 30], 'e~f': 'x' } });
    expect(redact(['/a/c~1d', '/a/e~0f'])).toEqual({ a: { b: 1 }, name: 'Ada' });
  });

  it('closes the gap of removed list elements, counted by their original places', () => {
    expect(redact(['/a/c~1d/0', '/a/c~1d/2'])).toEqual({ ...payload, a: { ...payload.a, 'c/d': [20] } });
  });

  it('replaces values by their pseudonyms', () => {
    expect(redact([], ['/name', '/a/b'])).toEqual({ a: { ...payload.a, b: pseudonym(1) }, name: pseudonym('Ada') });
  });

  it('removes what is also to be pseudonymised, and does nothing where a pointer leads nowhere', () => {
    expect(redact(['/name'], ['/name'])).toEqual({ a: payload.a });
    expect(redact(['/missing', '/name/deeper', '/a/c~1d/7'])).toEqual(payload);
  });

  it('leaves the original alone and members of any name what they are', () => {
    const odd = JSON.parse('{"__proto__":{"x":1,"y":2},"z":3}') as Record<string, unknown>;
    const before = JSON.stringify(odd);
    expect(JSON.stringify(redact(['/__proto__/x'], [], odd))).toBe('{"__proto__":{"y":2},"z":3}');
    expect(JSON.stringify(odd)).toBe(before);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
