import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deliveredDigests } from '../src/delivered-digest.ts';
import { keyedHashing } from '../src/keyed-hashing.ts';

const { digests, pseudonym } = keyedHashing({ digestKey: 'digests', pseudonymKey: 'pseudonyms' });
const hmac = (text: string): string => createHmac('sha256', 'pseudonyms').update(text).digest('hex');

describe('the hashes of roles', () => {
  it('give a value the HMAC-SHA-256 of its JSON as pseudonym', () => {
    expect([pseudonym('Ada'), pseudonym(1)]).toEqual([hmac('"Ada"'), hmac('1')]);
  });

  it('digest each field of a payload under the other key', () => {
    expect(digests({ a: 1 })).toEqual(deliveredDigests({ a: 1 }, 'digests'));
  });
});
